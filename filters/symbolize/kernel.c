/* kernel: the running kernel's identity, and its names */
#include "kernel.h"
#include "bytes.h"
#include "fd.h"
#include "num.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { NT_BUILD_ID = 3, NOTES_MAX = 64 << 10, MODULES_MAX = 1 << 20 };

static int open_file(const char *path)
{
	return pl_fd_open(AT_FDCWD, path, O_RDONLY, 0);
}

/* As much of a small file as there is. */
static void read_file(const char *path, size_t most, struct pl_buf *b)
{
	int fd = open_file(path);
	ssize_t got;

	if (fd < 0)
		return;
	do {
		pl_buf_reserve(b, most);
		got = pl_fd_read(fd, b->p + b->n, most);
		b->n += got > 0 ? (size_t)got : 0;
	} while (got > 0 && b->n < most);
	close(fd);
}

static uint32_t padded(uint32_t n)
{
	return n > UINT32_MAX - 3 ? n : (n + 3) & ~3u;
}

/* ELF notes: a name's length, a description's length, a type; both padded to four bytes. */
static void read_build_id(struct kernel *k)
{
	struct pl_buf notes = {0};

	read_file("/sys/kernel/notes", NOTES_MAX, &notes);
	struct pl_reader r = pl_reader((struct pl_bytes){(const void *)notes.p, notes.n});
	while (pl_left(&r) > 0 && !k->build_id[0] && !r.bad) {
		uint32_t name_n = pl_take_u32(&r), n = pl_take_u32(&r), type = pl_take_u32(&r);
		struct pl_bytes name = pl_take_bytes(&r, padded(name_n));
		struct pl_bytes id = pl_take_bytes(&r, padded(n));
		if (r.bad || type != NT_BUILD_ID || name.n < 4 || memcmp(name.p, "GNU", 4) != 0 ||
		    n > sizeof k->build_id / 2)
			continue;
		for (uint32_t i = 0; i < n; i++)
			snprintf(k->build_id + 2 * (size_t)i, 3, "%02x", id.p[i]);
	}
	pl_buf_free(&notes);
}

static void read_running(struct kernel *k)
{
	struct utsname name;
	struct pl_err err;
	int fd = open_file("/proc/kallsyms");

	if (uname(&name) == 0)
		snprintf(k->release, sizeof k->release, "%s", name.release);
	read_build_id(k);
	read_file("/proc/modules", MODULES_MAX, &k->modules);
	if (fd < 0 || kallsyms_read(&k->syms, fd, &err))
		k->lacks = "KALLSYMS_RESTRICTED";
	if (fd >= 0)
		close(fd);
}

int kernel_open(struct kernel *k, const char *given, bool trust, struct pl_err *err)
{
	*k = (struct kernel){.given = given, .trust = trust};
	if (!given) {
		read_running(k);
		return 0;
	}
	int fd = open_file(given), failed = -1;
	if (fd < 0)
		pl_err_set(err, PL_E_INVALID_INPUT, _("cannot be opened: %s"), strerror(errno));
	else
		failed = kallsyms_read(&k->syms, fd, err);
	if (fd >= 0)
		close(fd);
	return failed ? pl_err_at(err, given, 0) : 0;
}

const char *kernel_check(const struct kernel *k, struct pl_str build_id)
{
	bool same_release = strcmp(k->release, k->recorded_release) == 0;

	if (k->given)
		return NULL;
	if (!build_id.p && !(k->trust && same_release))
		return "BUILD_ID_UNKNOWN";
	if (build_id.p &&
	    (!pl_str_is(build_id, k->build_id) || (k->recorded_release[0] && !same_release)))
		return "BUILD_ID_MISMATCH";
	return k->lacks;
}

/* Another boot of the same kernel may have it elsewhere (KASLR): perf records where _text or _stext
 * was. */
static uint64_t moved(const struct kernel *k, uint64_t base)
{
	uint64_t text = k->syms.text ? k->syms.text : k->syms.stext;

	if (base == 0 || text == 0 || base == k->syms.text || base == k->syms.stext)
		return 0;
	return text - base;
}

struct pl_str kernel_find(const struct kernel *k, uint64_t base, uint64_t address)
{
	return kallsyms_find(&k->syms, address + moved(k, base));
}

/* "[nf_tables]", "/lib/modules/…/nf-tables.ko.xz": the name that the kernel has for it. */
static void module_name(struct pl_str dso, char name[64])
{
	struct pl_str base = pl_str_base(dso);
	size_t n = 0;

	if (base.n && base.p[0] == '[')
		base = (struct pl_str){base.p + 1, base.n - 1};
	for (; n < base.n && n < 63 && base.p[n] != '.' && base.p[n] != ']'; n++)
		name[n] = base.p[n] == '-' ? '_' : base.p[n];
	name[n] = '\0';
}

/* A line of /proc/modules: name, size, users, by whom, state, address. */
static uint64_t loaded_at(const struct kernel *k, const char *name)
{
	struct pl_str rest = pl_buf_str(&k->modules);
	size_t n = strlen(name);

	while (rest.n) {
		const char *end = memchr(rest.p, '\n', rest.n);
		size_t line = end ? (size_t)(end - rest.p) : rest.n;
		const char *at = memmem(rest.p, line, " 0x", 3);
		uint64_t base = 0;
		if (line > n && memcmp(rest.p, name, n) == 0 && rest.p[n] == ' ' && at) {
			at++;
			size_t digits = 2;
			while (at + digits < rest.p + line && at[digits] != ' ')
				digits++;
			return pl_num_hex((struct pl_str){at, digits}, &base) ? 0 : base;
		}
		line += end != NULL;
		rest = (struct pl_str){rest.p + line, rest.n - line};
	}
	return 0;
}

bool kernel_has_module(const struct kernel *k, struct pl_str dso, uint64_t base)
{
	char name[64];

	if (k->given)
		return true;
	module_name(dso, name);
	return name[0] && base && !k->lacks && loaded_at(k, name) == base;
}

void kernel_close(struct kernel *k)
{
	kallsyms_free(&k->syms);
	pl_buf_free(&k->modules);
}
