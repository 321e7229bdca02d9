/* xml: what may stand in a document, and that the rest is seen */
#include "unit.h"
#include "xml.h"

static void becomes(struct pl_str s, const char *want)
{
	struct pl_buf b = {0};

	pl_xml_text(&b, s);
	CHECK_STR(pl_buf_str(&b).p, b.n, want);
	pl_buf_free(&b);
}

TEST(markup_is_escaped)
{
	becomes(PL_S("std::vector<int>&"), "std::vector&lt;int&gt;&amp;");
	becomes(PL_S("\"it's\"]]>"), "&quot;it&#39;s&quot;]]&gt;");
	becomes(PL_S(""), "");
	becomes(PL_S("plain 函数"), "plain 函数");
}

TEST(what_xml_bans_is_made_visible)
{
	becomes(PL_S("a\tb\x01\x1b[m\x7f"), "a\\x09b\\x01\\x1b[m\\x7f");
	becomes(PL_S("\xef\xbf\xbe<\xef\xbf\xbf"), "\\u{fffe}&lt;\\u{ffff}");
	becomes(PL_S("\xef\xbf\xbd"), "\xef\xbf\xbd");
	becomes(PL_S("\xe2\x80\xae"
		     "x"),
		"\\u{202e}x");
	becomes(PL_S("\xff<\xef\xbf"), "\\xff&lt;\\xef\\xbf");
}

int main(void)
{
	RUN(markup_is_escaped);
	RUN(what_xml_bans_is_made_visible);
	return unit_done();
}
