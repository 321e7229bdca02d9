/* kernel: the running kernel's identity, and its names */
#include "kernel.h"
#include "bytes.h"
#include "fd.h"
#include "num.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { NT_BUILD_ID = 3, NOTES_MAX = 64 << 10, MODULES_TEXT_MAX = 1 << 20, MODULES_MAX = 4096 };

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

/* ELF notes: a name's length, a description's length, a type; both padded to four bytes. "" where
 * they have no build ID, or cannot be read. */
static void read_build_id(const char *path, char hex[KERNEL_BUILD_ID_MAX + 1])
{
	struct pl_buf notes = {0};

	hex[0] = '\0';
	read_file(path, NOTES_MAX, &notes);
	struct pl_reader r = pl_reader((struct pl_bytes){(const void *)notes.p, notes.n});
	while (pl_left(&r) > 0 && !hex[0] && !r.bad) {
		uint32_t name_n = pl_take_u32(&r), n = pl_take_u32(&r), type = pl_take_u32(&r);
		struct pl_bytes name = pl_take_bytes(&r, padded(name_n));
		struct pl_bytes id = pl_take_bytes(&r, padded(n));
		if (r.bad || type != NT_BUILD_ID || name.n < 4 || memcmp(name.p, "GNU", 4) != 0 ||
		    n > KERNEL_BUILD_ID_MAX / 2)
			continue;
		for (uint32_t i = 0; i < n; i++)
			snprintf(hex + 2 * (size_t)i, 3, "%02x", id.p[i]);
	}
	pl_buf_free(&notes);
}

/* ---- modules ---- */

/* The next blank-separated word of a line. */
static struct pl_str take_word(struct pl_str *line)
{
	const char *blank = line->n ? memchr(line->p, ' ', line->n) : NULL;
	struct pl_str word = {line->p, blank ? (size_t)(blank - line->p) : line->n};
	size_t taken = word.n + (blank != NULL);

	*line = (struct pl_str){line->p + taken, line->n - taken};
	return word;
}

/* A line of /proc/modules: name, size, users, by whom, state, address. The name is one of a folder
 * of /sys/module, too, and may lead nowhere else. */
static void add_module(struct kernel *k, struct pl_str line)
{
	enum { ADDRESS = 5 };
	struct kernel_module m = {0};
	char path[128];
	struct pl_str name = take_word(&line), word = {0};

	for (int i = 1; i <= ADDRESS; i++)
		word = take_word(&line);
	if (name.n == 0 || name.n >= sizeof m.name || memchr(name.p, '/', name.n) ||
	    name.p[0] == '.' || !pl_str_starts(word, "0x") || pl_num_hex(word, &m.base) ||
	    m.base == 0)
		return;
	memcpy(m.name, name.p, name.n);
	snprintf(path, sizeof path, "/sys/module/%s/notes/.note.gnu.build-id", m.name);
	read_build_id(path, m.build_id);
	PL_GROW(k->modules, k->modules_n + 1, k->modules_cap);
	k->modules[k->modules_n++] = m;
}

static void read_modules(struct kernel *k)
{
	struct pl_buf text = {0};

	read_file("/proc/modules", MODULES_TEXT_MAX, &text);
	struct pl_str rest = pl_buf_str(&text);
	while (rest.n && k->modules_n < MODULES_MAX) {
		const char *end = memchr(rest.p, '\n', rest.n);
		size_t line = end ? (size_t)(end - rest.p) : rest.n;
		add_module(k, (struct pl_str){rest.p, line});
		line += end != NULL;
		rest = (struct pl_str){rest.p + line, rest.n - line};
	}
	pl_buf_free(&text);
}

static void read_running(struct kernel *k)
{
	struct utsname name;
	struct pl_err err;
	int fd = open_file("/proc/kallsyms");

	if (uname(&name) == 0)
		snprintf(k->release, sizeof k->release, "%s", name.release);
	read_build_id("/sys/kernel/notes", k->build_id);
	read_modules(k);
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

static const struct kernel_module *loaded_at(const struct kernel *k, struct pl_str dso,
					     uint64_t base)
{
	char name[64];

	module_name(dso, name);
	for (size_t i = 0; i < k->modules_n; i++)
		if (strcmp(k->modules[i].name, name) == 0 && k->modules[i].base == base)
			return &k->modules[i];
	return NULL;
}

bool kernel_has_module(const struct kernel *k, struct pl_str dso, uint64_t base)
{
	return k->given || loaded_at(k, dso, base) != NULL;
}

const char *kernel_check_module(const struct kernel *k, struct pl_str dso, uint64_t base,
				struct pl_str build_id, struct pl_str kernel_id)
{
	if (k->given)
		return NULL;
	const struct kernel_module *m = loaded_at(k, dso, base);
	if ((kernel_id.p && !pl_str_is(kernel_id, k->build_id)) ||
	    (k->recorded_release[0] && strcmp(k->release, k->recorded_release) != 0))
		return "BUILD_ID_MISMATCH";
	if (!m || (build_id.p && !m->build_id[0]))
		return "BUILD_ID_UNKNOWN";
	/* what is of the same kernel, has the same name and is where it was */
	if (!build_id.p)
		return kernel_id.p ? k->lacks : kernel_check(k, kernel_id);
	return pl_str_is(build_id, m->build_id) ? k->lacks : "BUILD_ID_MISMATCH";
}

void kernel_close(struct kernel *k)
{
	kallsyms_free(&k->syms);
	free(k->modules);
}
