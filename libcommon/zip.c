/* zip: stored ZIP files, written and read */
#include "zip.h"
#include "text.h"
#include "utf8.h"

#include <zlib.h>

/* Signatures, as little-endian numbers, and the lengths of what is fixed. */
#define LOCAL 0x04034b50u   /* 4.3.7 */
#define CENTRAL 0x02014b50u /* 4.3.12 */
#define END 0x06054b50u	    /* 4.3.16 */
#define LOCATOR 0x07064b50u /* 4.3.15: of ZIP64 */
enum { LOCAL_SIZE = 30, CENTRAL_SIZE = 46, END_SIZE = 22, LOCATOR_SIZE = 20 };

/* 4.4.4 */
enum {
	FLAG_ENCRYPTED = 1 << 0 | 1 << 6 | 1 << 13,
	FLAG_DESCRIPTOR = 1 << 3,
	FLAG_UTF8 = 1 << 11,
};
enum { VERSION_FOLDERS = 20 }; /* 4.4.3.2: 2.0, which others write where 1.0 would do */
enum { SHOWN = 64 };	       /* bytes of a name in a message */

uint32_t pl_zip_crc(struct pl_str bytes)
{
	return (uint32_t)crc32_z(0, (const unsigned char *)bytes.p, bytes.n);
}

/* ---- writing ---- */

static void put(struct pl_buf *b, unsigned bytes, uint64_t v)
{
	for (unsigned i = 0; i < bytes; i++)
		pl_buf_addc(b, (char)(v >> 8 * i & 0xff));
}

/* 4.4.1.4: from here on ZIP64 would have to say where things are. */
static int check_offset(struct pl_zip_writer *w, uint64_t offset)
{
	if (offset < UINT32_MAX)
		return 0;
	return pl_err_set(&w->err, PL_E_RESOURCE_LIMIT_EXCEEDED,
			  _("a ZIP without ZIP64 holds less than 4 GiB"));
}

/* What local and central headers share, from the version to the length of the extra field. */
static void put_common(struct pl_buf *b, struct pl_str name, struct pl_str data, uint32_t crc)
{
	put(b, 2, PL_ZIP_VERSION);
	put(b, 2, 0); /* flags */
	put(b, 2, 0); /* method: stored, 4.4.5 */
	put(b, 2, 0); /* time */
	put(b, 2, PL_ZIP_DATE);
	put(b, 4, crc);
	put(b, 4, data.n);
	put(b, 4, data.n);
	put(b, 2, name.n);
	put(b, 2, 0); /* extra field */
}

int pl_zip_add(struct pl_zip_writer *w, const char *name, struct pl_str data)
{
	struct pl_str view = pl_str(name);
	uint32_t crc = pl_zip_crc(data);
	size_t offset = w->out->n;

	if (check_offset(w, data.n) ||
	    check_offset(w, (uint64_t)offset + LOCAL_SIZE + view.n + data.n))
		return -1;
	put(w->out, 4, LOCAL);
	put_common(w->out, view, data, crc);
	pl_buf_adds(w->out, view);
	pl_buf_adds(w->out, data);
	put(&w->central, 4, CENTRAL);
	put(&w->central, 2, PL_ZIP_VERSION); /* made by */
	put_common(&w->central, view, data, crc);
	put(&w->central, 2, 0); /* comment */
	put(&w->central, 2, 0); /* disk */
	put(&w->central, 2, 0); /* internal attributes */
	put(&w->central, 4, 0); /* external attributes */
	put(&w->central, 4, offset);
	pl_buf_adds(&w->central, view);
	w->n++;
	return 0;
}

int pl_zip_end(struct pl_zip_writer *w)
{
	size_t offset = w->out->n;

	if (check_offset(w, (uint64_t)offset + w->central.n))
		return -1;
	pl_buf_adds(w->out, pl_buf_str(&w->central));
	put(w->out, 4, END);
	put(w->out, 2, 0); /* this disk */
	put(w->out, 2, 0); /* the disk of the central directory */
	put(w->out, 2, w->n);
	put(w->out, 2, w->n);
	put(w->out, 4, w->central.n);
	put(w->out, 4, offset);
	put(w->out, 2, 0); /* comment */
	pl_buf_free(&w->central);
	return 0;
}

/* ---- reading ---- */

/* Of what is known to be there. */
static unsigned get16(const char *p)
{
	const unsigned char *u = (const unsigned char *)p;

	return u[0] | (unsigned)u[1] << 8;
}
static uint32_t get32(const char *p)
{
	return get16(p) | (uint32_t)get16(p + 2) << 16;
}

struct reader {
	struct pl_zip *zip;
	struct pl_str bytes;
	size_t local, central; /* where the next headers should be */
	size_t central_end;
	struct pl_err *err;
};

/* 0 when `bad` is false, else -1 with that message. */
static int malformed(struct reader *r, bool bad, const char *message)
{
	return bad ? pl_err_set(r->err, PL_E_PROFILE_PARSE_FAILED, "%s", message) : 0;
}
static int unsupported(struct reader *r, bool bad, const char *message)
{
	return bad ? pl_err_set(r->err, PL_E_UNSUPPORTED_FORMAT, "%s", message) : 0;
}

/* Says which entry an error is about: by its number, and its name if that is known. */
static int at_entry(struct reader *r, struct pl_str name)
{
	const struct pl_err e = *r->err;
	struct pl_buf shown = {0};

	name.n = name.n < SHOWN ? name.n : SHOWN;
	pl_utf8_terminal(&shown, name);
	pl_err_set(r->err, e.code, _("entry %zu%s%s: %s"), r->zip->n + 1, shown.n ? " " : "",
		   shown.n ? shown.p : "", e.message);
	pl_buf_free(&shown);
	return -1;
}

/* 4.3.16: the last bytes, so that nothing can stand behind them and no comment can hold another. */
static int read_end(struct reader *r)
{
	struct pl_str b = r->bytes;
	bool zip = b.n >= 4 && (get32(b.p) == LOCAL || get32(b.p) == END);

	if (b.n < END_SIZE || get32(b.p + b.n - END_SIZE) != END)
		return zip ? malformed(r, true,
				       _("the ZIP was cut off, or something follows its end"))
			   : unsupported(r, true, _("this is no ZIP"));
	const char *end = b.p + b.n - END_SIZE;
	size_t before = b.n - END_SIZE;
	if (unsupported(r,
			(before >= LOCATOR_SIZE && get32(end - LOCATOR_SIZE) == LOCATOR) ||
				get16(end + 10) == UINT16_MAX || get32(end + 12) == UINT32_MAX ||
				get32(end + 16) == UINT32_MAX,
			_("ZIP64 is not supported")) ||
	    unsupported(r, get16(end + 4) || get16(end + 6) || get16(end + 8) != get16(end + 10),
			_("a ZIP on several disks is not supported")) ||
	    unsupported(r, get16(end + 20), _("a ZIP with a comment is not supported")) ||
	    malformed(r, (uint64_t)get32(end + 16) + get32(end + 12) != before,
		      _("the central directory does not end where the end record begins")))
		return -1;
	r->central = get32(end + 16);
	r->central_end = before;
	if (get16(end + 10) > PL_ZIP_ENTRIES)
		return pl_err_set(r->err, PL_E_RESOURCE_LIMIT_EXCEEDED, _("more than %d entries"),
				  PL_ZIP_ENTRIES);
	return 0;
}

/* What an entry must not be, by its central header c: 4.4.3 to 4.4.5, 4.4.8 to 4.4.13. */
static int check_supported(struct reader *r, const char *c)
{
	unsigned flags = get16(c + 8);
	uint32_t packed = get32(c + 20), size = get32(c + 24);
	const struct {
		bool is;
		const char *message;
	} refused[] = {
		{flags & FLAG_ENCRYPTED, N_("encryption is not supported")},
		{flags & FLAG_DESCRIPTOR, N_("data descriptors are not supported")},
		{flags & ~FLAG_UTF8, N_("it has flags that are not supported")},
		{get16(c + 10), N_("compression is not supported")},
		{packed == UINT32_MAX || size == UINT32_MAX || get32(c + 42) == UINT32_MAX,
		 N_("ZIP64 is not supported")},
		{get16(c + 6) > VERSION_FOLDERS, N_("a newer version of the format is needed")},
		{get16(c + 30), N_("extra fields are not supported")},
		{get16(c + 32), N_("comments are not supported")},
		{get16(c + 34), N_("a ZIP on several disks is not supported")},
	};

	for (size_t i = 0; i < PL_COUNT(refused); i++)
		if (unsupported(r, refused[i].is, _(refused[i].message)))
			return -1;
	return malformed(r, packed != size, _("its two sizes differ, and it is not compressed"));
}

/* Its local header, its name and its bytes stand where the last entry ended, and say the same. */
static int read_local(struct reader *r, const char *c, struct pl_zip_entry *e)
{
	size_t room = r->bytes.n - r->local, name = get16(c + 28), size = get32(c + 20);
	const char *local = r->bytes.p + r->local;

	if (malformed(r, get32(c + 42) != r->local,
		      _("it does not begin where the one before it ends")) ||
	    malformed(r,
		      room < LOCAL_SIZE || room - LOCAL_SIZE < name ||
			      room - LOCAL_SIZE - name < size,
		      _("it is longer than the file")) ||
	    malformed(r, get32(local) != LOCAL, _("there is no local header at its place")) ||
	    /* from the version to the extra field's length, and the name */
	    malformed(r,
		      memcmp(local + 4, c + 6, 26) != 0 ||
			      memcmp(local + LOCAL_SIZE, c + CENTRAL_SIZE, name) != 0,
		      _("its local header and the central directory differ")))
		return -1;
	e->data = (struct pl_str){local + LOCAL_SIZE + name, size};
	r->local += LOCAL_SIZE + name + size;
	return 0;
}

static int read_entry(struct reader *r)
{
	size_t room = r->central_end - r->central;
	const char *c = r->bytes.p + r->central;
	struct pl_zip_entry *e = &r->zip->entries[r->zip->n];

	if (malformed(r,
		      room < CENTRAL_SIZE || get32(c) != CENTRAL ||
			      room - CENTRAL_SIZE < get16(c + 28),
		      _("the central directory does not hold it")))
		return at_entry(r, (struct pl_str){0});
	*e = (struct pl_zip_entry){
		.name = {c + CENTRAL_SIZE, get16(c + 28)},
		.made_by = get16(c + 4),
		.version = get16(c + 6),
		.flags = get16(c + 8),
		.time = get16(c + 12),
		.date = get16(c + 14),
		.internal = get16(c + 36),
		.external = get32(c + 38),
		.crc = get32(c + 16),
	};
	if (check_supported(r, c) || read_local(r, c, e))
		return at_entry(r, e->name);
	r->central += CENTRAL_SIZE + e->name.n;
	r->zip->n++;
	return 0;
}

int pl_zip_read(struct pl_zip *zip, struct pl_str bytes, struct pl_err *err)
{
	struct reader r = {.zip = zip, .bytes = bytes, .err = err};

	zip->n = 0;
	if (read_end(&r))
		return -1;
	size_t directory = r.central, n = get16(bytes.p + r.central_end + 10);
	while (zip->n < n)
		if (read_entry(&r))
			return -1;
	if (malformed(&r, r.local != directory,
		      _("there is something between the entries and the central directory")) ||
	    malformed(&r, r.central != r.central_end,
		      _("the central directory holds more than its entries")))
		return -1;
	return 0;
}
