/* bundle: the parts of a bundle and what binds them together */
#include "bundle.h"
#include "analysis.h"

#include <strings.h>

const struct pl_bundle_file pl_bundle_files[PL_BUNDLE_FILES] = {
	{PL_BUNDLE_MANIFEST, "manifest.ndjson", PL_BUNDLE_SCHEMA, NULL},
	{PL_BUNDLE_ANALYSIS, "analysis.ndjson", PL_ANALYSIS_SCHEMA, NULL},
	{PL_BUNDLE_DIAGNOSIS, "diagnosis.ndjson", "perflens.diagnosis", NULL},
	{PL_BUNDLE_REPORT, "report.md", NULL, "markdown"},
	{PL_BUNDLE_REPORT, "report.html", NULL, "html"},
	{PL_BUNDLE_COMPARISON, "comparison.ndjson", "perflens.comparison", NULL},
	{PL_BUNDLE_VERIFICATION, "verification.ndjson", "perflens.verification", NULL},
};

const struct pl_bundle_file *pl_bundle_find(struct pl_str name)
{
	for (size_t i = 0; i < PL_COUNT(pl_bundle_files); i++)
		if (pl_str_is(name, pl_bundle_files[i].name))
			return &pl_bundle_files[i];
	return NULL;
}

static bool begins(struct pl_str text, const char *with)
{
	size_t n = strlen(with);

	return text.n >= n && strncasecmp(text.p, with, n) == 0;
}

const struct pl_bundle_file *pl_bundle_report(struct pl_str text)
{
	while (text.n && strchr(" \t\r\n", text.p[0]))
		text = (struct pl_str){text.p + 1, text.n - 1};
	bool html = begins(text, "<!doctype html") || begins(text, "<html");
	return pl_bundle_find(html ? PL_S("report.html") : PL_S("report.md"));
}

struct pl_str pl_bundle_input(const struct pl_stream_header *header, const struct pl_json *json,
			      size_t index)
{
	uint32_t end = json->tape[header->inputs].next, at = header->inputs + 1;

	while (index-- && at < end)
		at = json->tape[at].next;
	uint32_t tok = at < end ? pl_json_member(json, at, "sha256") : 0;
	return tok && json->tape[tok].type == PL_JSON_STRING ? pl_json_str(json, tok)
							     : (struct pl_str){0};
}

bool pl_bundle_is_bound(enum pl_bundle_part part, const struct pl_stream_header *header,
			const struct pl_json *json, struct pl_str text, const char *sha256)
{
	if (!sha256[0])
		return false;
	if (part == PL_BUNDLE_REPORT)
		return text.n && memmem(text.p, text.n, sha256, strlen(sha256));
	return pl_str_is(pl_bundle_input(header, json, 0), sha256) ||
	       (part == PL_BUNDLE_COMPARISON &&
		pl_str_is(pl_bundle_input(header, json, 1), sha256));
}

#define ENTRY(name, kind, flags) PL_MEMBER(struct pl_bundle_entry, #name, name, kind, flags)
static const struct pl_member file_members[] = {
	ENTRY(name, PL_M_STR, PL_M_REQUIRED),
	ENTRY(schema, PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE),
	ENTRY(bytes, PL_M_U64, PL_M_REQUIRED),
	ENTRY(sha256, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER_HAS(struct pl_bundle_entry, "sealed", sealed, PL_M_BOOL,
		      PL_M_REQUIRED | PL_M_NULLABLE),
};
#define END(name, kind, flags) PL_MEMBER(struct pl_bundle_end, #name, name, kind, flags)
static const struct pl_member end_members[] = {
	END(files, PL_M_U64, PL_M_REQUIRED),
	END(records, PL_M_U64, PL_M_REQUIRED),
	END(sha256, PL_M_STR, 0),
};
const struct pl_record pl_bundle_file_record = {"file", file_members, PL_COUNT(file_members)},
		       pl_bundle_end_record = {"end", end_members, PL_COUNT(end_members)};
