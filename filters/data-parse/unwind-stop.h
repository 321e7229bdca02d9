/* unwind-stop: why the walk up a stack ended where it did */
#ifndef UNWIND_STOP_H
#define UNWIND_STOP_H

enum unwind_stop {
	UNWIND_ROOT,	     /* the outermost function: its CFI says that nothing called it,
				or its return address is 0 */
	UNWIND_NO_REGISTERS, /* the sample has none (a kernel thread), or lacks one that was
				needed */
	UNWIND_ABI,	     /* not a 64-bit process of an architecture that is known here */
	UNWIND_UNMAPPED,     /* the return address is nowhere in the process */
	UNWIND_NO_FILE,	     /* the file is not there, no regular one, too large, not allowed, or
				not ELF of this architecture */
	UNWIND_BUILD_ID_MISMATCH, /* the file is another one than what ran */
	UNWIND_NO_BUILD_ID,	  /* nothing says whether the file is what ran */
	UNWIND_NO_CFI,		  /* neither .eh_frame nor .debug_frame tells of the address */
	UNWIND_BAD_CFI,		  /* what they tell cannot be carried out */
	UNWIND_STACK_CUT,	  /* it goes on beyond the bytes that were saved */
	UNWIND_BAD_MEMORY,	  /* it needs memory that is neither saved nor in a file */
	UNWIND_LOOP,		  /* the caller would be the same frame again */
	UNWIND_DEPTH,		  /* more frames than asked for */
	UNWIND_CRASHED,		  /* the work on a file crashed or took too much memory */
	UNWIND_TIMEOUT,		  /* the work on a file took too long */
	UNWIND_STOPS
};

/* "UNWIND_NO_CFI"; "" for UNWIND_ROOT. */
const char *unwind_stop_code(enum unwind_stop stop);

#endif
