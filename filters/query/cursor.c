/* cursor: where the next page starts */
#include "cursor.h"
#include "hash.h"
#include "num.h"

#include <inttypes.h>

/* Before it is put into hexadecimal: "1", both tags and the position, each after a dot. */
enum { TEXT_MAX = 1 + 2 * (1 + CURSOR_TAG) + 1 + PL_NUM_MAX };

void cursor_tag_analysis(char tag[CURSOR_TAG + 1], const char *sha256)
{
	snprintf(tag, CURSOR_TAG + 1, "%.*s", CURSOR_TAG, *sha256 ? sha256 : "0000000000000000");
}

void cursor_tag_question(char tag[CURSOR_TAG + 1], const struct query_options *o)
{
	const char *parts[] = {query_command_name(o->command), o->sort, o->event, o->symbol};
	char hex[PL_SHA256_HEX + 1];
	struct pl_sha256 h;

	pl_sha256_start(&h);
	for (size_t i = 0; i < PL_COUNT(parts); i++) {
		/* absent is not the same as empty */
		pl_sha256_add(&h, parts[i] ? "+" : "-", 1);
		if (parts[i])
			pl_sha256_add(&h, parts[i], strlen(parts[i]) + 1);
	}
	pl_sha256_end(&h, hex);
	snprintf(tag, CURSOR_TAG + 1, "%.*s", CURSOR_TAG, hex);
}

void cursor_put(struct pl_buf *out, const struct cursor *c)
{
	char text[TEXT_MAX + 1];
	int n = snprintf(text, sizeof text, "1.%s.%s.%" PRIu64, c->analysis, c->question,
			 c->position);

	for (int i = 0; i < n; i++)
		pl_buf_printf(out, "%02x", (unsigned char)text[i]);
}

static int decode(const char *word, char text[TEXT_MAX + 1])
{
	size_t n = strlen(word);
	uint64_t byte;

	if (n % 2 || n > 2 * TEXT_MAX)
		return -1;
	for (size_t i = 0; i < n; i += 2) {
		if (pl_num_hex((struct pl_str){word + i, 2}, &byte) || word[i + 1] == 'x' ||
		    word[i + 1] == 'X' || byte == 0)
			return -1;
		text[i / 2] = (char)byte;
	}
	text[n / 2] = '\0';
	return 0;
}

int cursor_parse(struct cursor *c, const char *word)
{
	enum { QUESTION = 2 + CURSOR_TAG + 1, POSITION = QUESTION + CURSOR_TAG + 1 };
	char text[TEXT_MAX + 1];

	if (decode(word, text) || strlen(text) <= POSITION || strncmp(text, "1.", 2) != 0 ||
	    text[QUESTION - 1] != '.' || text[POSITION - 1] != '.' ||
	    pl_num_u64(pl_str(text + POSITION), &c->position))
		return -1;
	snprintf(c->analysis, sizeof c->analysis, "%.*s", CURSOR_TAG, text + 2);
	snprintf(c->question, sizeof c->question, "%.*s", CURSOR_TAG, text + QUESTION);
	return 0;
}
