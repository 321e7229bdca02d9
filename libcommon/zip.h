/*
 * zip: ZIP files whose entries are stored as they are: written always with the same bytes, read as
 * if by a hostile hand.
 *
 * After PKWARE's APPNOTE.TXT 6.3; the numbers in comments are its sections. Little of the format is
 * used, and the reader refuses the rest, because what two readers take for two different things is
 * no evidence: entries follow one another from the first byte, the central directory follows the
 * last of them, and the end record is the end. No compression, encryption, ZIP64, data descriptors,
 * extra fields, comments, or parts on several disks.
 */
#ifndef PL_ZIP_H
#define PL_ZIP_H

#include "err.h"

enum {
	PL_ZIP_ENTRIES = 64, /* the most that are read */
	/* what every entry that is written has: */
	PL_ZIP_VERSION = 10,	  /* 4.4.3.2: 1.0; as the version that made it: on MS-DOS, 4.4.2 */
	PL_ZIP_DATE = 1 << 5 | 1, /* 4.4.6: 1980-01-01, the first that there is; the time is 0 */
};

/* ---- writing ---- */

struct pl_zip_writer {
	struct pl_buf *out; /* grows by what is written; held nothing before */
	struct pl_buf central;
	unsigned n;
	struct pl_err err;
};
/* Adds an entry: an ASCII name, and its bytes. 0, or -1 with err: ZIP64 would be needed
 * (RESOURCE_LIMIT_EXCEEDED). */
int pl_zip_add(struct pl_zip_writer *w, const char *name, struct pl_str data);
/* Adds the central directory and the end record, and frees what the writer holds. 0 or -1. */
int pl_zip_end(struct pl_zip_writer *w);

/* ---- reading ---- */

struct pl_zip_entry {
	struct pl_str name, data;   /* views of the bytes that were read */
	unsigned made_by, version;  /* 4.4.2, 4.4.3 */
	unsigned flags, time, date; /* 4.4.4, 4.4.6 */
	unsigned internal;	    /* attributes, 4.4.14 */
	uint32_t external;	    /* attributes, 4.4.15: a symbolic link is one by them */
	uint32_t crc;		    /* as it is written, 4.4.7 */
};

struct pl_zip {
	struct pl_zip_entry entries[PL_ZIP_ENTRIES];
	size_t n;
};

/*
 * Finds the entries. 0, or -1 with *err: UNSUPPORTED_FORMAT for what is no ZIP or uses what is not
 * supported, PROFILE_PARSE_FAILED for one that does not hold together, RESOURCE_LIMIT_EXCEEDED.
 * Names are not judged, nor is it looked whether a CRC fits.
 */
int pl_zip_read(struct pl_zip *zip, struct pl_str bytes, struct pl_err *err);
/* 4.4.7, of any number of bytes. */
uint32_t pl_zip_crc(struct pl_str bytes);

#endif
