/* Moves 2 MiB of its own text, in which hot() is, onto anonymous memory, as programs do that want
 * it in huge pages; then works there. */
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { HUGE = 2 << 20 };
static volatile unsigned long sum;
static char copy[HUGE];

__attribute__((section(".huge"), noinline)) static void hot(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sum += i;
}

int main(void)
{
	char *page = (char *)((unsigned long)hot & ~(HUGE - 1UL));

	memcpy(copy, page, HUGE);
	if (mmap(page, HUGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != page)
		return 1;
	memcpy(page, copy, HUGE);
	for (int i = 0; i < 200; i++)
		hot(1000000);
	return 0;
}
