/* vdso: the image that this kernel maps into processes: ours is everybody's, when build IDs agree
 */
#ifndef PL_VDSO_H
#define PL_VDSO_H

#include "elf.h"

/* Of this process; NULL: there is none. */
struct pl_elf *pl_vdso_open(void);

#endif
