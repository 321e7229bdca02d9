/* vdso: the image that this kernel maps into processes: ours is everybody's, when build IDs agree
 */
#ifndef VDSO_H
#define VDSO_H

#include "elf.h"

/* Of this process; NULL: there is none. */
struct pl_elf *vdso_open(void);

#endif
