/* unwind-stop: why the walk up a stack ended where it did */
#include "unwind-stop.h"

#define CODE(stop) [stop] = #stop

const char *unwind_stop_code(enum unwind_stop stop)
{
	static const char *const codes[UNWIND_STOPS] = {
		[UNWIND_ROOT] = "",	  CODE(UNWIND_NO_REGISTERS), CODE(UNWIND_ABI),
		CODE(UNWIND_UNMAPPED),	  CODE(UNWIND_NO_FILE),	     CODE(UNWIND_BUILD_ID_MISMATCH),
		CODE(UNWIND_NO_BUILD_ID), CODE(UNWIND_NO_CFI),	     CODE(UNWIND_BAD_CFI),
		CODE(UNWIND_STACK_CUT),	  CODE(UNWIND_BAD_MEMORY),   CODE(UNWIND_LOOP),
		CODE(UNWIND_DEPTH),	  CODE(UNWIND_CRASHED),	     CODE(UNWIND_TIMEOUT),
	};

	return codes[stop];
}
