/* The member tables of the C readers and schemas/ say the same: names, order, kinds, what is
 * required and null. */
#include "analysis.h"
#include "bundle.h"
#include "diagnosis.h"
#include "samples.h"
#include "unit.h"

#include "../../filters/aggregate/partial-records.h"

static struct pl_buf text;
static struct pl_json json;

static void load(const char *kind)
{
	char path[128], block[4096];
	size_t n;

	snprintf(path, sizeof path, "schemas/%s.schema.json", kind);
	FILE *f = fopen(path, "r");
	pl_buf_clear(&text);
	while (f && (n = fread(block, 1, sizeof block, f)) > 0)
		pl_buf_add(&text, block, n);
	if (f)
		fclose(f);
	CHECK(f && pl_json_parse(&json, pl_buf_str(&text)) == 0);
}

/* Follows "$ref":"#/a/b" once. */
static uint32_t resolve(uint32_t schema)
{
	uint32_t ref = pl_json_member(&json, schema, "$ref"), at = 0;

	if (!ref)
		return schema;
	struct pl_str path = pl_json_str(&json, ref);
	while (path.n) {
		char name[64];
		const char *slash = memchr(path.p, '/', path.n);
		size_t n = slash ? (size_t)(slash - path.p) : path.n;
		snprintf(name, sizeof name, "%.*s", (int)n, path.p);
		if (strcmp(name, "#") != 0)
			at = pl_json_member(&json, at, name);
		path.p += slash ? n + 1 : n;
		path.n -= slash ? n + 1 : n;
	}
	return at;
}

/* The schema's type of a member: "string", …; *nullable: null is allowed, too. */
static const char *type_of(uint32_t schema, bool *nullable)
{
	static char name[32];
	uint32_t type = pl_json_member(&json, schema, "type");

	*nullable = false;
	if (!type) /* const and enum are of strings */
		return "string";
	if (json.tape[type].type == PL_JSON_ARRAY) {
		uint32_t first = type + 1, second = json.tape[first].next;
		*nullable = pl_str_is(pl_json_str(&json, second), "null");
		type = first;
	}
	struct pl_str s = pl_json_str(&json, type);
	snprintf(name, sizeof name, "%.*s", (int)s.n, s.p);
	return name;
}

static const char *const kinds[] = {
	[PL_M_STR] = "string",	 [PL_M_U64] = "integer",  [PL_M_U32] = "integer",
	[PL_M_I64] = "integer",	 [PL_M_MICRO] = "number", [PL_M_REAL] = "number",
	[PL_M_BOOL] = "boolean", [PL_M_ARRAY] = "array",  [PL_M_OBJECT] = "object",
};

static bool is_required(uint32_t required, struct pl_str name)
{
	for (uint32_t at = required + 1; at < json.tape[required].next; at++)
		if (pl_str_eq(pl_json_str(&json, at), name))
			return true;
	return false;
}

static void compare_member(const char *type, const struct pl_member *m, uint32_t schema,
			   bool required)
{
	bool nullable;
	const char *kind = type_of(resolve(schema), &nullable);
	/* that a digest is there is for pl_stream to check, which knows --unsealed */
	bool wanted = m->flags & PL_M_REQUIRED || strcmp(m->name, "sha256") == 0;
	bool same = m->kind == PL_M_ANY || strcmp(kind, kinds[m->kind]) == 0;

	if (!CHECK(same && nullable == !!(m->flags & PL_M_NULLABLE) && required == wanted))
		printf("#   %s.%s: the schema says %s%s%s\n", type, m->name, kind,
		       nullable ? " or null" : "", required ? ", required" : "");
}

/* The table has the schema's members but `type`, in its order. */
static void compare(const struct pl_record *table)
{
	uint32_t record = pl_json_member(&json, pl_json_member(&json, 0, "records"), table->type);
	uint32_t required = pl_json_member(&json, record, "required");
	uint32_t properties = pl_json_member(&json, record, "properties");
	size_t n = 0;

	if (!CHECK(record && required && properties))
		return;
	for (uint32_t key = properties + 1; key < json.tape[properties].next;
	     key = json.tape[key + 1].next) {
		struct pl_str name = pl_json_str(&json, key);
		if (pl_str_is(name, "type"))
			continue;
		if (!CHECK(n < table->n && pl_str_is(name, table->members[n].name))) {
			printf("#   %s.%.*s is not the table's\n", table->type, (int)name.n,
			       name.p);
			return;
		}
		compare_member(table->type, &table->members[n++], key + 1,
			       is_required(required, name));
	}
	CHECK_U64(table->n, n);
}

TEST(samples)
{
	const struct pl_record *const tables[] = {&pl_event_record, &pl_module_record,
						  &pl_frame_record, &pl_sample_record,
						  &pl_lost_record,  &pl_samples_end_record};

	load("perflens.samples");
	for (size_t i = 0; i < PL_COUNT(tables); i++)
		compare(tables[i]);
}

TEST(analysis)
{
	const struct pl_record *const tables[] = {
		&pl_analysis_event_record,  &pl_analysis_quality_record,
		&pl_analysis_module_record, &pl_analysis_hotspot_record,
		&pl_analysis_path_record,   &pl_analysis_diagnostic_record,
		&pl_analysis_end_record};

	load("perflens.analysis");
	for (size_t i = 0; i < PL_COUNT(tables); i++)
		compare(tables[i]);
}

TEST(diagnosis)
{
	const struct pl_record *const tables[] = {
		&pl_diagnosis_event_record, &pl_diagnosis_category_record,
		&pl_diagnosis_candidate_record, &pl_diagnosis_gap_record, &pl_diagnosis_end_record};

	load("perflens.diagnosis");
	for (size_t i = 0; i < PL_COUNT(tables); i++)
		compare(tables[i]);
}

TEST(partial)
{
	const struct pl_record *const tables[] = {&partial_event_record, &partial_module_record,
						  &partial_key_record, &partial_path_record,
						  &partial_end_record};

	load("perflens.partial");
	for (size_t i = 0; i < PL_COUNT(tables); i++)
		compare(tables[i]);
}

TEST(bundle)
{
	load("perflens.bundle");
	compare(&pl_bundle_file_record);
	compare(&pl_bundle_end_record);
}

int main(void)
{
	RUN(samples);
	RUN(analysis);
	RUN(diagnosis);
	RUN(partial);
	RUN(bundle);
	pl_buf_free(&text);
	pl_json_free(&json);
	return unit_done();
}
