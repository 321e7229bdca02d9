/*
 * record: the members of a record declared as a table, and the one generic reader for all of them.
 *
 * The tables are what schemas/ declares for people; a test holds the two to each other.
 */
#ifndef PL_RECORD_H
#define PL_RECORD_H

#include "json.h"

enum pl_member_kind {
	PL_M_STR,    /* struct pl_str */
	PL_M_U64,    /* uint64_t */
	PL_M_U32,    /* uint32_t: an id or a count */
	PL_M_I64,    /* int64_t */
	PL_M_MICRO,  /* uint64_t: a non-negative number in millionths (percentages) */
	PL_M_REAL,   /* double */
	PL_M_BOOL,   /* bool */
	PL_M_ARRAY,  /* uint32_t: index of the array's token */
	PL_M_OBJECT, /* uint32_t: index of the object's token */
	PL_M_ANY     /* uint32_t: index of the value's token */
};
enum {
	PL_M_REQUIRED = 1,
	PL_M_NULLABLE = 2 /* null reads as absent: NULL view, 0, UINT32_MAX for PL_M_U32, NaN for
			     PL_M_REAL */
};

struct pl_member {
	const char *name;
	enum pl_member_kind kind;
	unsigned flags;
	size_t offset; /* in the struct */
	size_t has; /* offset of a bool set when the member is there and not null; SIZE_MAX: none */
};

/* Entries of a table: `field` of `type` is read from the member `name`. The second also sets
 * `has_field`. */
#define PL_MEMBER(type, name, field, kind, flags)                  \
	{                                                          \
		name, kind, flags, offsetof(type, field), SIZE_MAX \
	}
#define PL_MEMBER_HAS(type, name, field, kind, flags)                                 \
	{                                                                             \
		name, kind, flags, offsetof(type, field), offsetof(type, has_##field) \
	}

struct pl_record {
	const char *type;
	const struct pl_member *members; /* in schema order; at most 64 */
	size_t n;
};

/*
 * Reads the object at `object` into *out, which the caller has zeroed. Unknown members are ignored.
 * NULL, or a message (in `message`, translated) that names the member that is missing or of a wrong
 * kind.
 */
const char *pl_record_read(const struct pl_record *record, const struct pl_json *json,
			   uint32_t object, void *out, char message[256]);

#endif
