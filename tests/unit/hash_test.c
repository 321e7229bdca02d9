/* hash: the known answers of FIPS 180-4's examples, and sha256sum(1) */
#include "hash.h"
#include "unit.h"

static void check(const char *text, const char *want)
{
	struct pl_sha256 h;
	char hex[PL_SHA256_HEX + 1];
	pl_sha256_start(&h);
	pl_sha256_add(&h, text, strlen(text));
	pl_sha256_end(&h, hex);
	CHECK_STR(hex, strlen(hex), want);
}

TEST(known_answers)
{
	check("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	check("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

/* printf 'a%.0s' {1..1000000} | sha256sum, added in pieces of 1, 2, 3, … bytes */
TEST(a_million_letters_in_pieces)
{
	char piece[2000], hex[PL_SHA256_HEX + 1];
	struct pl_sha256 h;
	memset(piece, 'a', sizeof piece);
	pl_sha256_start(&h);
	size_t left = 1000000;
	for (size_t n = 1; left > 0; n++) {
		size_t now = n < left ? n : left;
		pl_sha256_add(&h, piece, now);
		left -= now;
	}
	pl_sha256_end(&h, hex);
	CHECK_STR(hex, strlen(hex),
		  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void)
{
	RUN(known_answers);
	RUN(a_million_letters_in_pieces);
	return unit_done();
}
