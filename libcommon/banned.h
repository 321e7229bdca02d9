/*
 * banned: functions that no file may call. The Makefile includes this before everything (-include),
 * so that using one is a build error. Each is unbounded, or depends on the locale, and has its
 * counterpart in str, num or jsonw.
 */
#ifndef PL_BANNED_H
#define PL_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok gets strncpy strncat atoi atol atof \
	system popen

#endif
