/* What pl-verify-bundle makes of bundles that could be taken apart: no changed byte passes, and
 * each check finds its own breakage. */
#include "../../filters/verify-bundle/checks.h"
#include "unit.h"

#include <stdlib.h>

enum { CONTAINER, NAMES, MANIFEST, SIZES, CRC, SHA256, SEALS, BINDINGS, CHECKS };

static struct pl_buf manifest, analysis, verification, zip;
static struct pl_verdict verdicts[CHECKS];

static void load(struct pl_buf *b, const char *path)
{
	char block[4096];
	size_t n;

	FILE *f = fopen(path, "r");
	while (f && (n = fread(block, 1, sizeof block, f)) > 0)
		pl_buf_add(b, block, n);
	if (f)
		fclose(f);
}

/* The letters of the results, in the order of the checks; "refused" for what is no ZIP. The bytes
 * are in memory of their own size, so that a sanitizer sees what is read behind them. */
static const char *results(struct pl_str bytes)
{
	static char said[16];
	static struct contents c;
	struct pl_verdict *v = verdicts;
	struct pl_err err = {0};
	char *copy = malloc(bytes.n + !bytes.n);

	memcpy(copy, bytes.p, bytes.n);
	memset(verdicts, 0, sizeof verdicts);
	snprintf(said, sizeof said, "refused");
	if (contents_open(&c, (struct pl_str){copy, bytes.n}, &err) == 0) {
		check_container(&c, &v[CONTAINER]);
		check_names(&c, &v[NAMES]);
		check_manifest(&c, &v[MANIFEST]);
		check_sizes(&c, &v[SIZES]);
		check_crc(&c, &v[CRC]);
		check_sha256(&c, &v[SHA256]);
		check_seals(&c, &v[SEALS]);
		check_bindings(&c, &v[BINDINGS]);
		for (int i = 0; i < CHECKS; i++)
			said[i] = "pfs"[v[i].status];
		said[CHECKS] = '\0';
	} else {
		CHECK(err.message[0] != '\0');
	}
	contents_free(&c);
	free(copy);
	return said;
}

static void said(const char *want, int check, const char *reason)
{
	const char *got = results(pl_buf_str(&zip));

	if (!CHECK(strcmp(got, want) == 0))
		printf("#   got %s, want %s: %s\n", got, want, verdicts[check].reason);
	else if (reason && !CHECK(strcmp(verdicts[check].reason, reason) == 0))
		printf("#   got %s\n#   want %s\n", verdicts[check].reason, reason);
}

/* ---- making bundles ---- */

static struct pl_zip_writer writer;

static void start(void)
{
	pl_buf_clear(&zip);
	writer = (struct pl_zip_writer){.out = &zip};
}
static void add(const char *name, const struct pl_buf *bytes)
{
	CHECK(pl_zip_add(&writer, name, pl_buf_str(bytes)) == 0);
}
static void end(void)
{
	CHECK(pl_zip_end(&writer) == 0);
}

/* The example: a manifest, an analysis and its verification. */
static void make(const struct pl_buf *m, const struct pl_buf *a, const struct pl_buf *v)
{
	start();
	add("manifest.ndjson", m);
	add("analysis.ndjson", a);
	add("verification.ndjson", v);
	end();
}

/* A copy in which the first `from` is `to`, sealed anew if `seal`. */
static struct pl_buf changed(const struct pl_buf *b, const char *from, const char *to, bool seal)
{
	struct pl_buf copy = {0};
	char *at = memmem(b->p, b->n, from, strlen(from));

	if (!CHECK(at != NULL)) {
		printf("#   no %s\n", from);
		return copy;
	}
	pl_buf_add(&copy, b->p, (size_t)(at - b->p));
	pl_buf_addz(&copy, to);
	at += strlen(from);
	pl_buf_add(&copy, at, b->n - (size_t)(at - b->p));
	if (seal) {
		copy.n -= strlen(",\"sha256\":\"\"}\n") + PL_SHA256_HEX;
		pl_stream_seal(&copy);
	}
	return copy;
}

/* The example with that change to one of its files. */
static void make_changed(const struct pl_buf *which, const char *from, const char *to, bool seal)
{
	struct pl_buf copy = changed(which, from, to, seal);

	make(which == &manifest ? &copy : &manifest, which == &analysis ? &copy : &analysis,
	     which == &verification ? &copy : &verification);
	pl_buf_free(&copy);
}

/* ---- */

TEST(the_example_passes)
{
	make(&manifest, &analysis, &verification);
	CHECK(zip.n > 7000);
	said("pppppppp", 0, "");
}

TEST(no_changed_byte_passes)
{
	make(&manifest, &analysis, &verification);
	for (size_t i = 0; i < zip.n && unit_ok; i++) {
		const unsigned char flips[] = {1, 0x20, 0x80};
		for (size_t k = 0; k < sizeof flips; k++) {
			zip.p[i] = (char)(zip.p[i] ^ flips[k]);
			const char *got = results(pl_buf_str(&zip));
			zip.p[i] = (char)(zip.p[i] ^ flips[k]);
			if (!CHECK(strcmp(got, "refused") == 0 || strchr(got, 'f')))
				printf("#   byte %zu ^ %x: %s\n", i, flips[k], got);
		}
	}
}

TEST(no_cut_passes)
{
	make(&manifest, &analysis, &verification);
	for (size_t n = 0; n < zip.n && unit_ok; n += n < 7900 ? 61 : 1)
		CHECK(strcmp(results((struct pl_str){zip.p, n}), "refused") == 0);
}

TEST(names)
{
	static const struct {
		const char *name, *reason;
	} cases[] = {
		{"../evil", "entry 2, \"../evil\": its name leads out of the folder"},
		{"a/../b", "entry 2, \"a/../b\": its name leads out of the folder"},
		{"..", "entry 2, \"..\": its name leads out of the folder"},
		{"/etc/passwd", "entry 2, \"/etc/passwd\": its name is an absolute path"},
		{"..\\evil", "entry 2, \"..\\evil\": its name holds a backslash"},
		{"C:evil", "entry 2, \"C:evil\": its name begins with a drive letter"},
		{"", "entry 2, \"\": it has no name"},
		{"a\nb", "entry 2, \"a\\x0ab\": its name is no text"},
		{"a\xff", "entry 2, \"a\\xff\": its name is no text"},
		{"other", "entry 2, \"other\": a bundle has nothing of that name"},
		{"analysis.ndjson/",
		 "entry 2, \"analysis.ndjson/\": a bundle has nothing of that name"},
		{"MANIFEST.ndjson", "entry 2, \"MANIFEST.ndjson\": its name was there before"},
		{"manifest.ndjson", "entry 2, \"manifest.ndjson\": its name was there before"},
	};

	for (size_t i = 0; i < PL_COUNT(cases); i++) {
		start();
		add("manifest.ndjson", &manifest);
		add(cases[i].name, &analysis);
		end();
		results(pl_buf_str(&zip));
		if (!CHECK(strcmp(verdicts[NAMES].reason, cases[i].reason) == 0))
			printf("#   %s\n", verdicts[NAMES].reason);
		CHECK(verdicts[MANIFEST].status == PL_FAILED);
	}
	/* a NUL, in both headers */
	make(&manifest, &analysis, &verification);
	for (char *at = zip.p;
	     (at = memmem(at, zip.n - (size_t)(at - zip.p), "verification.n", 14)); at++)
		if (memcmp(at + 14, "djson{", 6) == 0 || memcmp(at + 14, "djsonPK", 7) == 0)
			at[3] = '\0';
	said("pffppppp", NAMES, "entry 3, \"ver\\x00fication.ndjson\": its name holds a NUL");
}

TEST(order_and_what_must_be_there)
{
	start();
	add("manifest.ndjson", &manifest);
	add("verification.ndjson", &verification);
	add("analysis.ndjson", &analysis);
	end();
	said("pffppppf", NAMES,
	     "entry 3, \"analysis.ndjson\": it is out of order, or a second one of its kind");
	CHECK(strcmp(verdicts[MANIFEST].reason, "its file 1 is not the one that stands there") ==
	      0);
	start();
	add("analysis.ndjson", &analysis);
	end();
	said("pffspspp", NAMES, "there is no manifest.ndjson");
	start();
	add("manifest.ndjson", &manifest);
	end();
	said("pffppppf", NAMES, "there is no analysis.ndjson");
	/* nothing at all */
	start();
	end();
	said("pffspspf", BINDINGS, "there is no analysis that anything could be bound to");
	/* both forms of a report */
	start();
	add("manifest.ndjson", &manifest);
	add("analysis.ndjson", &analysis);
	add("report.md", &analysis);
	add("report.html", &analysis);
	end();
	said("pffppppf", NAMES,
	     "entry 4, \"report.html\": it is out of order, or a second one of its kind");
	CHECK(strcmp(verdicts[MANIFEST].reason, "it lists 2 files, and there are 3 beside it") ==
	      0);
}

/* Sets the bytes at this place of each central header, and of the local headers unless it is -1. */
static void set_fields(int central, int local, unsigned bytes, uint32_t value)
{
	make(&manifest, &analysis, &verification);
	for (size_t i = 0; i + 46 < zip.n; i++) {
		int at = memcmp(zip.p + i, "PK\1\2", 4) == 0   ? central
			 : memcmp(zip.p + i, "PK\3\4", 4) == 0 ? local
							       : -1;
		for (unsigned k = 0; at >= 0 && k < bytes; k++)
			zip.p[i + (size_t)at + k] = (char)(value >> 8 * k);
	}
}

TEST(container)
{
	set_fields(38, -1, 4, 0xa1ff0000); /* lrwxrwxrwx */
	said("fppppppp", CONTAINER, "entry 1, \"manifest.ndjson\": it is a symbolic link");
	set_fields(38, -1, 4, 0x81a40000);
	said("fppppppp", CONTAINER, "entry 1, \"manifest.ndjson\": it has attributes");
	set_fields(36, -1, 2, 1);
	said("fppppppp", CONTAINER, "entry 1, \"manifest.ndjson\": it has attributes");
	set_fields(14, 12, 2, 0x5a21);
	said("fppppppp", CONTAINER,
	     "entry 1, \"manifest.ndjson\": its date is not the one that all entries have");
	set_fields(12, 10, 2, 1);
	said("fppppppp", CONTAINER,
	     "entry 1, \"manifest.ndjson\": its date is not the one that all entries have");
	set_fields(4, -1, 2, 0x031e); /* made on Unix */
	said("fppppppp", CONTAINER,
	     "entry 1, \"manifest.ndjson\": its version is not the one that all entries have");
	set_fields(6, 4, 2, 20);
	said("fppppppp", CONTAINER,
	     "entry 1, \"manifest.ndjson\": its version is not the one that all entries have");
	set_fields(8, 6, 2, 0x800);
	said("fppppppp", CONTAINER, "entry 1, \"manifest.ndjson\": it has flags");
	set_fields(16, 14, 4, 0xdeadbeef);
	results(pl_buf_str(&zip));
	CHECK(strncmp(verdicts[CRC].reason, "entry 1 has the CRC ", 20) == 0);
	said("ppppfppp", CRC, NULL);
}

TEST(the_manifest)
{
	make_changed(&manifest, "\"bytes\":4824", "\"bytes\":4825", true);
	said("pppfpppp", SIZES, "analysis.ndjson has 4824 bytes, and the manifest says 4825");
	make_changed(&manifest, "\"bytes\":4824,\"sha256\":\"2", "\"bytes\":4824,\"sha256\":\"3",
		     true);
	said("pppppfpp", SHA256, NULL);
	make_changed(&manifest, "\"bytes\":4824", "\"bytes\":4825", false);
	said("ppfspspp", SIZES, "the manifest could not be read");
	make_changed(&manifest, "\"sealed\":true", "\"sealed\":false", true);
	said("ppppppfp", SEALS, "the manifest says that analysis.ndjson is not sealed");
	make_changed(&manifest, "\"sealed\":true", "\"sealed\":null", true);
	said("ppfppppp", MANIFEST, "sealed of analysis.ndjson is not what it can be");
	make_changed(&manifest, ",\"sealed\":true", "", true);
	said("ppfspspp", MANIFEST, "line 2: a member is missing or of a wrong kind");
	make_changed(&manifest, "\"schema\":\"perflens.analysis\",\"bytes\"",
		     "\"schema\":null,\"bytes\"", true);
	said("ppfppppp", MANIFEST, "it says that analysis.ndjson is of another kind");
	make_changed(&manifest, "\"files\":2", "\"files\":3", true);
	said("ppfspspp", MANIFEST, "line 4: files 3 and records 2, and there are 2 and 2");
	make_changed(&manifest, "perflens.bundle\",\"version\":\"1.0",
		     "perflens.bundle\",\"version\":\"2.0", true);
	said("ppfspspp", MANIFEST, "it is perflens.bundle 2.0, and 1.x is known here");
	make_changed(&manifest, "{\"type\":\"file\"", "{\"type\":\"header\"", true);
	said("ppfspspp", MANIFEST, "line 2: a second header");
	make_changed(&manifest, "{\"type\":\"file\"", "{\"type\":\"file\"]", true);
	said("ppfspspp", MANIFEST, "line 2: no record");
	make_changed(&manifest, "{\"type\":\"end\"", "{\"type\":\"fin\"", true);
	said("ppfspspp", MANIFEST, "there is no end record");
	make_changed(&manifest, "{\"type\":\"end\"",
		     "{\"type\":\"end\",\"files\":2,\"records\":2}\n{\"type\":\"end\"", true);
	said("ppfspspp", MANIFEST, "there is something after the end record");
	/* what the inputs name: the analysis' own digest stands in them first */
	make_changed(&manifest, "]}],\"sha256\":\"ae", "]}],\"sha256\":\"af", true);
	said("pppppppf", BINDINGS, "the manifest's input 0 is not analysis.ndjson");
	make(&analysis, &analysis, &verification);
	said("ppfspspp", MANIFEST, "it does not begin with a header of perflens.bundle");
}

TEST(types_of_a_newer_version_are_no_fault)
{
	struct pl_buf later = changed(&manifest, "{\"type\":\"end\",\"files\":2,\"records\":2",
				      "{\"type\":\"note\",\"text\":\"x\"}\n"
				      "{\"type\":\"end\",\"files\":2,\"records\":3",
				      false);
	struct pl_buf newer = changed(&later, "perflens.bundle\",\"version\":\"1.0",
				      "perflens.bundle\",\"version\":\"1.7", true);

	make(&newer, &analysis, &verification);
	said("pppppppp", MANIFEST, "");
	pl_buf_free(&later);
	pl_buf_free(&newer);
}

TEST(artifacts)
{
	/* a manifest of their new digests is not made: sizes stay, sha256 fails with each */
	make_changed(&analysis, "compute", "Compute", false);
	said("pppppfff", SEALS, NULL);
	/* sealed anew it is another analysis: nothing is bound to it any more */
	make_changed(&analysis, "compute", "Compute", true);
	said("pppppfpf", BINDINGS, "verification.ndjson does not name the SHA-256 of the analysis");
	make_changed(&verification, "sha256\":\"ae8", "sha256\":\"be8", true);
	said("pppppfpf", BINDINGS, "verification.ndjson does not name the SHA-256 of the analysis");
	make_changed(&verification, "perflens.verification", "perflens.virification", true);
	said("pppppfff", SEALS,
	     "verification.ndjson does not begin with a header of perflens.verification");
	make_changed(&verification, "\"version\":\"1.0\"", "\"version\":\"2.0\"", true);
	said("pppppfff", SEALS,
	     "verification.ndjson is perflens.verification 2.0, and 1.x is known here");
	/* no digest at all */
	make_changed(
		&analysis,
		"\"sha256\":\"ae8aa89d6597cc1067cbe6297732ff45e82dd981c6706b74bc24b264a0d15af9\"}",
		"\"x\":0}", false);
	said("pppfpfff", SEALS, "analysis.ndjson does not end with a digest");
}

int main(void)
{
	load(&manifest, "schemas/examples/two-lines.bundle.ndjson");
	load(&analysis, "schemas/examples/two-lines.analysis.ndjson");
	load(&verification, "schemas/examples/two-lines.verification.ndjson");
	RUN(the_example_passes);
	RUN(no_changed_byte_passes);
	RUN(no_cut_passes);
	RUN(names);
	RUN(order_and_what_must_be_there);
	RUN(container);
	RUN(the_manifest);
	RUN(types_of_a_newer_version_are_no_fault);
	RUN(artifacts);
	pl_buf_free(&manifest);
	pl_buf_free(&analysis);
	pl_buf_free(&verification);
	pl_buf_free(&zip);
	return unit_done();
}
