/* terminal: how wide a terminal is, and whether colours are welcome on it */
#include "terminal.h"
#include "num.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL = 80, LEAST = 24, MOST = 10000 };

size_t pl_terminal_columns(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col < 2)
		return 0;
	return size.ws_col;
}

/* What the environment says, when it is a sane number. */
static size_t said_columns(void)
{
	const char *said = getenv("COLUMNS");
	uint64_t n;

	if (!said || pl_num_u64(pl_str(said), &n) || n < LEAST || n > MOST)
		return USUAL;
	return (size_t)n;
}

static bool welcomes_colour(void)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");

	return !(none && *none) && term && *term && strcmp(term, "dumb") != 0;
}

void pl_terminal_ask(struct pl_terminal *t, int fd)
{
	*t = (struct pl_terminal){0};
	if (!isatty(fd))
		return;
	t->columns = pl_terminal_columns(fd);
	if (t->columns == 0)
		t->columns = said_columns();
	t->colour = welcomes_colour();
}
