/* unwind: up a stack that the input's file has the call frame information of: registers, stack and
 * file come from the input */
#include "../../filters/data-parse/unwind-walk.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void at(void *context, uint32_t module)
{
	(void)context;
	(void)module;
}

/* x86-64 or aarch64, whichever the file is of; all registers point to the stack, which is full of
 * addresses of the file. */
static void walk(struct unwind_files *files, uint64_t pc, uint64_t step)
{
	enum { BASE = 0x100000, STACK = 0x7000, WORDS = 64 };
	uint64_t stack[WORDS];
	struct space_map map = {.start = BASE, .end = BASE + 0x100000, .exec = true};
	struct pl_buf frames = {0};
	struct unwind_walk w = {
		.files = files,
		.maps = &map,
		.maps_n = 1,
		.stack = {(const unsigned char *)stack, sizeof stack},
		.stack_full = true,
		.stack_at = STACK,
	};
	uint32_t module;

	for (size_t i = 0; i < WORDS; i++)
		stack[i] = i % 3 ? BASE + pc + i * step : STACK + i * 8;
	for (size_t i = 0; i < UNWIND_REGS; i++)
		w.regs.v[i] = STACK + i * 8;
	w.regs.v[files->arch->sp] = STACK;
	w.regs.v[files->arch->pc] = BASE + pc;
	unwind_walk(&w, 64, &frames, &module);
	pl_buf_free(&frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const archs[] = {"x86_64", "aarch64"};
	char path[32];
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	for (size_t i = 0; i < PL_COUNT(archs); i++) {
		struct unwind_files files = {.arch = unwind_arch(pl_str(archs[i])),
					     .trust_paths = true,
					     .max_file_bytes = 1 << 20,
					     .at = at};
		struct unwind_module *m = unwind_files_module(&files, 0);
		m->told = true;
		m->kind = MODULE_USER;
		m->path = path;
		for (uint64_t pc = 0; pc < size && pc < 0x2000 && !m->stop; pc += 0x100)
			walk(&files, pc, 1 + pc % 7);
		unwind_file_close(&m->file);
		unwind_steps_forget(&files.steps);
		free(files.modules);
	}
	close(fd);
	return 0;
}
