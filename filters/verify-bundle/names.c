/* names: what an entry may be called, and what may be known of it beside its bytes */
#include "checks.h"
#include "utf8.h"

#include <strings.h>
#include <sys/stat.h>

enum { SHOWN = 80 }; /* bytes of a name in a reason */

/* Fails for entry number i, whose name is shown so that it can do nothing. */
static void fail(const struct contents *c, size_t i, const char *what, struct pl_verdict *v)
{
	struct pl_str name = c->zip.entries[i].name;
	struct pl_buf shown = {0};

	name.n = name.n < SHOWN ? name.n : SHOWN;
	pl_utf8_terminal(&shown, name);
	pl_verdict_fail(v, "entry %zu, \"%s\": %s", i + 1, pl_buf_str(&shown).p, what);
	pl_buf_free(&shown);
}

/* ---- container ---- */

/* 4.4.15: what made an entry on Unix puts the mode of the file into the upper half. */
static bool is_link(uint32_t external)
{
	return S_ISLNK(external >> 16);
}

void check_container(const struct contents *c, struct pl_verdict *v)
{
	for (size_t i = 0; i < c->zip.n && v->status == PL_PASSED; i++) {
		const struct pl_zip_entry *e = &c->zip.entries[i];
		if (is_link(e->external))
			fail(c, i, "it is a symbolic link", v);
		else if (e->external || e->internal)
			fail(c, i, "it has attributes", v);
		else if (e->date != PL_ZIP_DATE || e->time)
			fail(c, i, "its date is not the one that all entries have", v);
		else if (e->version != PL_ZIP_VERSION || e->made_by != PL_ZIP_VERSION)
			fail(c, i, "its version is not the one that all entries have", v);
		else if (e->flags)
			fail(c, i, "it has flags", v);
	}
}

/* ---- names ---- */

static bool is_control(struct pl_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
			return true;
	return false;
}

/* Is one of the components between slashes ".."? */
static bool leads_out(struct pl_str name)
{
	while (name.n) {
		const char *slash = memchr(name.p, '/', name.n);
		size_t n = slash ? (size_t)(slash - name.p) : name.n;
		if (n == 2 && memcmp(name.p, "..", 2) == 0)
			return true;
		n += slash != NULL;
		name = (struct pl_str){name.p + n, name.n - n};
	}
	return false;
}

/* What is wrong with it; the worst first. Names of a bundle are few, so that any other is wrong:
 * what it is of those that are used to do harm should be said. */
static const char *fault(struct pl_str name)
{
	if (name.n == 0)
		return "it has no name";
	if (memchr(name.p, '\0', name.n))
		return "its name holds a NUL";
	if (memchr(name.p, '\\', name.n))
		return "its name holds a backslash";
	if (name.p[0] == '/')
		return "its name is an absolute path";
	if (leads_out(name))
		return "its name leads out of the folder";
	if (name.n > 1 && name.p[1] == ':')
		return "its name begins with a drive letter";
	if (is_control(name) || pl_utf8_valid(name) != name.n)
		return "its name is no text";
	if (!pl_bundle_find(name))
		return "a bundle has nothing of that name";
	return NULL;
}

/* Also where only the case differs, which some file systems do not keep apart. */
static bool was_before(const struct contents *c, size_t i)
{
	struct pl_str name = c->zip.entries[i].name;

	for (size_t k = 0; k < i; k++) {
		struct pl_str other = c->zip.entries[k].name;
		if (other.n == name.n && strncasecmp(other.p, name.p, name.n) == 0)
			return true;
	}
	return false;
}

void check_names(const struct contents *c, struct pl_verdict *v)
{
	const struct pl_bundle_file *last = NULL;

	for (size_t i = 0; i < c->zip.n && v->status == PL_PASSED; i++) {
		const struct pl_bundle_file *file = c->members[i].file;
		const char *wrong = fault(c->zip.entries[i].name);
		if (was_before(c, i))
			fail(c, i, "its name was there before", v);
		else if (wrong)
			fail(c, i, wrong, v);
		else if (last && file->part <= last->part)
			fail(c, i, "it is out of order, or a second one of its kind", v);
		last = file;
	}
	if (!c->parts[PL_BUNDLE_MANIFEST])
		pl_verdict_fail(v, "there is no manifest.ndjson");
	if (!c->parts[PL_BUNDLE_ANALYSIS])
		pl_verdict_fail(v, "there is no analysis.ndjson");
}
