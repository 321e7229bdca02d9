/* fd: what a pipe takes without waiting; whether a file is still the same */
#include "fd.h"
#include "unit.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static char bytes[1 << 20];

/* Writes of one size and reads of another; whenever there is said to be room for more than a page,
 * which is what poll(2) promises, so much is taken at once. The most that was. */
static size_t use(size_t writes, size_t reads)
{
	size_t most = 0;
	int ends[2];

	CHECK(pipe(ends) == 0);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	for (int i = 0; i < 200; i++) {
		for (int k = 0; k < i % 9; k++)
			if (write(ends[1], bytes, writes) < 0)
				break;
		size_t room = pl_fd_room(ends[1]);
		if (room > 4096)
			CHECK(write(ends[1], bytes, room) == (ssize_t)room);
		most = room > most ? room : most;
		for (int k = 0; k < i % 5; k++)
			if (read(ends[0], bytes, i % 20 ? reads : 40000) < 0)
				break;
	}
	close(ends[0]);
	close(ends[1]);
	return most;
}

TEST(a_pipe_takes_what_there_is_room_for)
{
	static const size_t sizes[] = {1, 100, 2048, 2049, 4095, 4096, 4097, 5000, 10000};

	for (size_t i = 0; i < PL_COUNT(sizes); i++)
		for (size_t k = 0; k < PL_COUNT(sizes); k++)
			CHECK(use(sizes[i], sizes[k]) > 4096);
}

TEST(an_empty_pipe_has_room_for_much)
{
	int ends[2];

	CHECK(pipe(ends) == 0);
	CHECK_U64(pl_fd_room(ends[1]), 65536 - 4096);
	close(ends[0]);
	close(ends[1]);
}

TEST(what_is_no_pipe_takes_a_page)
{
	int file = memfd_create("file", MFD_CLOEXEC);

	CHECK_U64(pl_fd_room(file), 4096);
	close(file);
}

TEST(a_file_stays_the_same_until_it_is_written_to)
{
	struct stat before, after, other;
	int file = memfd_create("file", MFD_CLOEXEC), another = memfd_create("x", MFD_CLOEXEC);

	CHECK(fstat(file, &before) == 0 && fstat(file, &after) == 0 && fstat(another, &other) == 0);
	CHECK(pl_fd_is_same(&before, &after));
	CHECK(!pl_fd_is_same(&before, &other));
	CHECK(write(file, "x", 1) == 1 && fstat(file, &after) == 0);
	CHECK(!pl_fd_is_same(&before, &after));
	after = before;
	after.st_mtim.tv_nsec ^= 1;
	CHECK(!pl_fd_is_same(&before, &after));
	close(file);
	close(another);
}

int main(void)
{
	RUN(a_pipe_takes_what_there_is_room_for);
	RUN(an_empty_pipe_has_room_for_much);
	RUN(what_is_no_pipe_takes_a_page);
	RUN(a_file_stays_the_same_until_it_is_written_to);
	return unit_done();
}
