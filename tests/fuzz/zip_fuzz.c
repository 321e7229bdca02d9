/* zip_fuzz: a bundle may be any bytes; what is read of it lies within them, and is judged */
#include "../../filters/verify-bundle/checks.h"
#include "utf8.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool ok)
{
	if (!ok)
		abort();
}

static bool within(struct pl_str part, struct pl_str all)
{
	return part.p >= all.p && part.n <= all.n && part.p - all.p <= (ptrdiff_t)(all.n - part.n);
}

/* Entries lie in the bytes, one behind the other. */
static void check_entries(const struct pl_zip *zip, struct pl_str bytes)
{
	for (size_t i = 0; i < zip->n; i++) {
		const struct pl_zip_entry *e = &zip->entries[i];
		expect(within(e->name, bytes) && within(e->data, bytes));
		expect(i == 0 || zip->entries[i - 1].data.p + e[-1].data.n < e->data.p);
	}
}

static void check_verdict(const struct pl_verdict *v)
{
	struct pl_str reason = pl_str(v->reason);

	expect((v->status == PL_PASSED) == (reason.n == 0));
	expect(reason.n + 4 >= sizeof v->reason || pl_utf8_valid(reason) == reason.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const checks[])(const struct contents *, struct pl_verdict *) = {
		check_container, check_names, check_sizes,   check_crc,
		check_sha256,	 check_seals, check_bindings};
	static struct contents c;
	const struct pl_str bytes = {(const char *)data, size};
	struct pl_verdict manifest = {0};
	struct pl_err err = {0};

	if (contents_open(&c, bytes, &err) == 0) {
		check_entries(&c.zip, bytes);
		check_manifest(&c, &manifest);
		check_verdict(&manifest);
		for (size_t i = 0; i < PL_COUNT(checks); i++) {
			struct pl_verdict v = {0};
			checks[i](&c, &v);
			check_verdict(&v);
		}
	} else {
		expect(err.message[0]);
	}
	contents_free(&c);
	return 0;
}
