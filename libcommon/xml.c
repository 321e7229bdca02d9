/* xml: text from targets within XML and HTML */
#include "xml.h"
#include "utf8.h"

/* XML 1.0 section 2.2 allows these two nowhere; other noncharacters it allows. */
static bool is_banned(struct pl_str s)
{
	return s.n >= 3 &&
	       (memcmp(s.p, "\xef\xbf\xbe", 3) == 0 || memcmp(s.p, "\xef\xbf\xbf", 3) == 0);
}

static const char *reference(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void pl_xml_text(struct pl_buf *out, struct pl_str s)
{
	size_t from = 0, i = 0;

	while (i < s.n) {
		const char *to = reference(s.p[i]);
		struct pl_str rest = {s.p + i, s.n - i};
		size_t n = to ? 1 : 3;
		if (!to && (s.p[i] != '\xef' || !is_banned(rest))) {
			i++;
			continue;
		}
		pl_utf8_terminal(out, (struct pl_str){s.p + from, i - from});
		pl_buf_addz(out, to ? to : s.p[i + 2] == '\xbe' ? "\\u{fffe}" : "\\u{ffff}");
		from = i += n;
	}
	pl_utf8_terminal(out, (struct pl_str){s.p + from, i - from});
}
