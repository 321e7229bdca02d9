/*
 * grow-attr N: a recording in pipe format, from stdin to stdout, as a perf of the future would have
 * made it: each attribute has N more bytes. Built by tests/pl-data-parse.bats.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_TRACING_DATA = 66, HEADER_ATTR = 64, PIPE_HEADER = 16, HEADER = 8 };

static unsigned char record[1 << 16];

static int grow(size_t more)
{
	uint16_t size;
	uint32_t type, attr;

	if (fread(record, HEADER, 1, stdin) != 1)
		return 0;
	memcpy(&type, record, sizeof type);
	memcpy(&size, record + 6, sizeof size);
	if (size < HEADER || type == HEADER_TRACING_DATA ||
	    fread(record + HEADER, 1, size - (size_t)HEADER, stdin) != size - (size_t)HEADER)
		exit(1);
	if (type == HEADER_ATTR) {
		memcpy(&attr, record + HEADER + 4, sizeof attr);
		size_t end = HEADER + attr;
		memmove(record + end + more, record + end, size - end);
		memset(record + end, 0xee, more);
		attr += (uint32_t)more;
		size += (uint16_t)more;
		memcpy(record + HEADER + 4, &attr, sizeof attr);
		memcpy(record + 6, &size, sizeof size);
	}
	return fwrite(record, size, 1, stdout) == 1;
}

int main(int argc, char **argv)
{
	if (argc != 2 || fread(record, PIPE_HEADER, 1, stdin) != 1 ||
	    fwrite(record, PIPE_HEADER, 1, stdout) != 1)
		return 1;
	while (grow(strtoul(argv[1], NULL, 10)))
		;
	return 0;
}
