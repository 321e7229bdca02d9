/* landlock: no file system but what is open and what is named here, no TCP, no signals to others */
#ifndef PL_LANDLOCK_H
#define PL_LANDLOCK_H

#include "sandbox.h"

/* 0: in force; 1: this kernel has none; -1 and errno: a fault. Only folder and roots are used. */
int pl_landlock(const struct pl_sandbox_needs *needs);

#endif
