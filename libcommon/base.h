/* base: what every file of PerfLens may rely on, and what none may use */
#ifndef PL_BASE_H
#define PL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_VERSION "0.1.0"

#define PL_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define PL_MUST_CHECK __attribute__((warn_unused_result))
#define PL_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
