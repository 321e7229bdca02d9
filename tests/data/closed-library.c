/* closed-library: a library is loaded and closed, and memory where it was holds code of the
 * program itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE = 2 << 20 };

/* for (long n = rdi; n; n--) */
static const unsigned char loop[] = {0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3};

int main(int argc, char **argv)
{
	void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW);
	void *hot = library ? dlsym(library, "hot") : NULL;
	if (!hot)
		return 1;
	void *start = (void *)((unsigned long)hot / HUGE * HUGE);
	dlclose(library);
	void *code = mmap(start, HUGE, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (code == MAP_FAILED)
		return 1;
	memcpy(code, loop, sizeof loop);
	((void (*)(long))code)(500000000);
	puts("done");
	return 0;
}
