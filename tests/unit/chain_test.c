/* chain and frames: which addresses are exact, whose they are, and what frame each becomes */
#include "../../filters/data-parse/chain.h"
#include "parse_kit.h"

static const uint64_t K = (uint64_t)PERF_CONTEXT_KERNEL, U = (uint64_t)PERF_CONTEXT_USER,
		      HV = (uint64_t)PERF_CONTEXT_HV, G = (uint64_t)PERF_CONTEXT_GUEST,
		      GK = (uint64_t)PERF_CONTEXT_GUEST_KERNEL, DEFERRED = (uint64_t)-640;

static struct modules ms;
static struct frames frames;
static struct spaces spaces;
static struct space *kernel, *user;
static struct chain chain;
static struct chain_modules of;
static uint64_t replaced;

static void map(struct space **space, uint64_t start, uint64_t end, uint64_t pgoff,
		const char *file, bool is_kernel)
{
	struct pl_perf_mmap m = {.pid = 41, .start = start, .prot = 4, .file = pl_str(file)};

	CHECK(space_insert(&spaces, space,
			   (struct space_map){.start = start,
					      .end = end,
					      .pgoff = pgoff,
					      .module = modules_of_mmap(&ms, &m, is_kernel),
					      .exec = true}) == 0);
}

static void start(void)
{
	kit_start();
	spaces = (struct spaces){.max_maps = 100};
	modules_start(&ms, &replaced);
	frames_start(&frames, &ms, &kit_parser);
	kernel = space_new(&spaces);
	user = space_new(&spaces);
	of = (struct chain_modules){
		.kernel = modules_kernel(&ms, NULL),
		.guest = modules_named(&ms, PL_S("[guest]"), MODULE_GUEST, 0, false),
		.hypervisor = modules_named(&ms, PL_S("[hypervisor]"), MODULE_UNKNOWN, 0, false),
		.unknown = modules_named(&ms, PL_S("[unknown]"), MODULE_UNKNOWN, 0, false),
	};
	map(&user, 0x400000, 0x500000, 0x1000, "/app", false);
	map(&user, 0x700000, 0x701000, 0, "//anon", false);
	map(&kernel, 0xffffffffc0000000, 0xffffffffc0010000, 0, "[ext4]", true);
}

static void end(void)
{
	chain_free(&chain);
	frames_free(&frames);
	space_release(&spaces, kernel);
	space_release(&spaces, user);
	modules_free(&ms);
	kit_end();
}

/* Each frame of the chain, leaf first, as "MODULE+OFFSET", with "<" for a return address. What was
 * written defines them. */
static void describe(char *text, size_t room)
{
	struct pl_str written = pl_buf_str(&kit_main.out.buf);

	text[0] = '\0';
	for (size_t i = 0; i < chain.depth; i++) {
		char wanted[64], dso[64], offset[32] = "";
		unsigned module = 0;
		snprintf(wanted, sizeof wanted, "{\"type\":\"frame\",\"id\":%u,", chain.ids[i]);
		const char *frame = memmem(written.p, written.n, wanted, strlen(wanted));
		if (!CHECK(frame != NULL))
			return;
		const char *line_end = strchr(frame, '\n');
		const char *of_module = strstr(frame, "\"module\":");
		CHECK(of_module && of_module < line_end &&
		      sscanf(of_module, "\"module\":%u", &module) == 1);
		const char *at = strstr(frame, "\"offset\":\"");
		if (at && at < line_end)
			sscanf(at, "\"offset\":\"0x%30[0-9a-f]", offset);
		const char *is_return = strstr(frame, "\"return\":true");
		const char *pid = strstr(frame, "\"pid\":41");
		snprintf(wanted, sizeof wanted, "{\"type\":\"module\",\"id\":%u,\"dso\":\"",
			 module);
		const char *name = memmem(written.p, written.n, wanted, strlen(wanted));
		if (!CHECK(name && sscanf(name + strlen(wanted), "%60[^\"]", dso) == 1))
			return;
		size_t n = strlen(text);
		snprintf(text + n, room - n, "%s%s%s%s%s%s", n ? " " : "", dso,
			 offset[0] ? "+" : "", offset, is_return && is_return < line_end ? "<" : "",
			 pid && pid < line_end ? "@41" : "");
	}
}

static struct pl_perf_sample sample_of(const uint64_t *words, size_t n, uint64_t ip)
{
	return (struct pl_perf_sample){
		.ip = ip, .pid = 41, .tid = 41, .chain = {(const unsigned char *)words, n * 8}};
}

static const struct pl_perf_attr attr = {.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN};

static void check_some(const uint64_t *words, size_t n, uint64_t ip, uint16_t misc, size_t max_user,
		       const char *want)
{
	struct pl_perf_sample sample = sample_of(words, n, ip);
	struct chain_sample s = {.attr = &attr,
				 .sample = &sample,
				 .misc = misc,
				 .space = user,
				 .max_user = max_user};
	char text[1000];

	chain_of(&chain, &frames, &of, kernel, &s);
	describe(text, sizeof text);
	CHECK_STR(text, strlen(text), want);
}

#define CHECK_CHAIN(ip, misc, want, ...)                                                         \
	check_some((const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8, \
		   ip, misc, SIZE_MAX, want)

enum {
	KERNEL = PERF_RECORD_MISC_KERNEL,
	USER = PERF_RECORD_MISC_USER,
	HYPERVISOR = PERF_RECORD_MISC_HYPERVISOR,
	GUEST_USER = PERF_RECORD_MISC_GUEST_USER
};

TEST(the_leaf_is_exact_and_callers_are_return_addresses)
{
	start();
	CHECK_CHAIN(0x400010, USER, "/app+1010 /app+1100< /app+1200<", U, 0x400010, 0x400100,
		    0x400200);
	CHECK_U64(chain.addresses, 3);
	/* one address, exact here and a return address there: two frames */
	CHECK_CHAIN(0x400010, USER, "/app+1010 /app+1010<", U, 0x400010, 0x400010);
	end();
}

TEST(kernel_and_user_parts)
{
	start();
	CHECK_CHAIN(0xffffffff81000010, KERNEL,
		    "[kernel.kallsyms]+ffffffff81000010 [ext4]+20< "
		    "[kernel.kallsyms]+ffffffff81000030< /app+1010 /app+1100<",
		    K, 0xffffffff81000010, 0xffffffffc0000020, 0xffffffff81000030, U, 0x400010,
		    0x400100);
	CHECK_U64(chain.addresses, 5);
	end();
}

TEST(without_markers_the_record_says_the_mode)
{
	start();
	CHECK_CHAIN(0x400010, USER, "/app+1010 /app+1100<", 0x400010, 0x400100);
	CHECK_CHAIN(0xffffffff81000010, KERNEL, "[kernel.kallsyms]+ffffffff81000010",
		    0xffffffff81000010);
	end();
}

TEST(what_is_mapped_nowhere)
{
	start();
	CHECK_CHAIN(0x300000, USER, "[unknown] [unknown] /app+1100<", U, 0x300000, 0x300008,
		    0x400100);
	CHECK_CHAIN(0x500000, USER, "[unknown]", U, 0x500000); /* right behind the map */
	end();
}

TEST(jit_code_keeps_its_address_and_its_process)
{
	start();
	CHECK_CHAIN(0x700123, USER, "/tmp/perf-41.map+700123@41 /tmp/perf-41.map+700200<@41", U,
		    0x700123, 0x700200);
	end();
}

/* All of one address: the shortcut must not take one for the other. */
TEST(guests_and_hypervisors_are_told_apart)
{
	start();
	CHECK_CHAIN(0x400010, HYPERVISOR, "[hypervisor]", HV, 0x400010);
	CHECK_CHAIN(0x400010, GUEST_USER, "[guest]", G, 0x400010);
	CHECK_CHAIN(0x400010, GUEST_USER, "[guest] [hypervisor] /app+1010", GK, 0x400010, HV,
		    0x400010, U, 0x400010);
	CHECK_CHAIN(0x400010, PERF_RECORD_MISC_CPUMODE_UNKNOWN, "[unknown]", 0x400010);
	CHECK_CHAIN(0x400010, HYPERVISOR, "[hypervisor]", HV, 0x400010);
	end();
}

TEST(an_empty_chain_is_the_sampled_address_where_it_was)
{
	start();
	CHECK_CHAIN(0x400010, USER, "/app+1010", U);
	CHECK_CHAIN(0xffffffff81000010, KERNEL, "[kernel.kallsyms]+ffffffff81000010", U);
	CHECK_CHAIN(0xffffffff81000010, KERNEL, "[kernel.kallsyms]+ffffffff81000010", K, U);
	check_some(NULL, 0, 0x400010, USER, SIZE_MAX, "/app+1010");
	CHECK_U64(chain.addresses, 0);
	end();
}

TEST(an_exact_ip_stands_for_the_first_address)
{
	start();
	CHECK_CHAIN(0x400008, USER | PERF_RECORD_MISC_EXACT_IP, "/app+1008 /app+1100<", U, 0x400010,
		    0x400100);
	CHECK_CHAIN(0xffffffff81000008, KERNEL | PERF_RECORD_MISC_EXACT_IP,
		    "[kernel.kallsyms]+ffffffff81000008 /app+1010", K, 0xffffffff81000010, U,
		    0x400010);
	end();
}

TEST(a_deferred_user_part_is_said)
{
	start();
	CHECK_CHAIN(0xffffffff81000010, KERNEL, "[kernel.kallsyms]+ffffffff81000010", K,
		    0xffffffff81000010, DEFERRED, 0x1234);
	CHECK(chain.deferred);
	CHECK_CHAIN(0x400010, USER, "/app+1010", U, 0x400010);
	CHECK(!chain.deferred);
	end();
}

TEST(addresses_of_the_process_that_are_not_wanted)
{
	const uint64_t words[] = {K, 0xffffffff81000010, U, 0x400010, 0x400100};

	start();
	check_some(words, 5, 0xffffffff81000010, KERNEL, 0, "[kernel.kallsyms]+ffffffff81000010");
	check_some(words, 5, 0xffffffff81000010, KERNEL, 1,
		   "[kernel.kallsyms]+ffffffff81000010 /app+1010");
	check_some(words + 2, 3, 0x400010, USER, 0, "");
	end();
}

/* Where the branch records say what called, each is where a call came from: exact. */
TEST(callers_from_elsewhere_are_added_outermost_last)
{
	const uint64_t words[] = {U, 0x400010};
	struct pl_perf_sample sample = sample_of(words, 2, 0x400010);
	struct chain_sample s = {
		.attr = &attr, .sample = &sample, .misc = USER, .space = user, .max_user = 1};
	char text[200];

	start();
	s.space = user;
	chain_of(&chain, &frames, &of, kernel, &s);
	chain_add_user(&chain, &frames, &of, &s, 0x400200, false);
	chain_add_user(&chain, &frames, &of, &s, 0x400300, true);
	describe(text, sizeof text);
	CHECK_STR(text, strlen(text), "/app+1010 /app+1200 /app+1300<");
	chain_end(&chain);
	describe(text, sizeof text);
	CHECK_STR(text, strlen(text), "/app+1300< /app+1200 /app+1010");
	end();
}

/* The shortcut from an address must see that the maps have changed. */
TEST(a_new_map_at_the_same_address)
{
	start();
	CHECK_CHAIN(0x400010, USER, "/app+1010", U, 0x400010);
	map(&user, 0x400000, 0x401000, 0, "/other", false);
	CHECK_CHAIN(0x400010, USER, "/other+10", U, 0x400010);
	CHECK_CHAIN(0x401010, USER, "/app+2010", U, 0x401010);
	end();
}

TEST(a_frame_is_defined_once)
{
	start();
	CHECK_CHAIN(0x400010, USER, "/app+1010", U, 0x400010);
	size_t written = kit_main.out.buf.n;
	CHECK_CHAIN(0x400010, USER, "/app+1010", U, 0x400010);
	CHECK_U64(kit_main.out.buf.n, written);
	CHECK_U64(kit_parser.frames, 1);
	kit_wrote("{\"type\":\"module\",\"id\":0,\"dso\":\"/app\",\"kind\":\"user\"}\n"
		  "{\"type\":\"frame\",\"id\":0,\"symbol\":\"unknown\",\"module\":0,"
		  "\"offset\":\"0x1010\"}\n");
	end();
}

TEST(modes_by_name)
{
	static const char *const want[8] = {NULL,    "kernel", "user", "hypervisor",
					    "guest", "guest",  NULL,   NULL};

	for (uint16_t i = 0; i < 8; i++) {
		struct pl_str mode = chain_mode(i | PERF_RECORD_MISC_EXACT_IP);
		CHECK(want[i] ? pl_str_is(mode, want[i]) : mode.p == NULL);
	}
}

int main(void)
{
	RUN(the_leaf_is_exact_and_callers_are_return_addresses);
	RUN(kernel_and_user_parts);
	RUN(without_markers_the_record_says_the_mode);
	RUN(what_is_mapped_nowhere);
	RUN(jit_code_keeps_its_address_and_its_process);
	RUN(guests_and_hypervisors_are_told_apart);
	RUN(an_empty_chain_is_the_sampled_address_where_it_was);
	RUN(an_exact_ip_stands_for_the_first_address);
	RUN(a_deferred_user_part_is_said);
	RUN(addresses_of_the_process_that_are_not_wanted);
	RUN(callers_from_elsewhere_are_added_outermost_last);
	RUN(a_new_map_at_the_same_address);
	RUN(a_frame_is_defined_once);
	RUN(modes_by_name);
	return unit_done();
}
