/* text: what people read: translated messages, tables for a terminal, progress */
#include "text.h"
#include "fd.h"
#include "mem.h"
#include "terminal.h"
#include "utf8.h"
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- messages ---- */

void pl_text_start(const char *locale_dir)
{
	static const char *const domains[] = {"perflens", "libc"};
	setlocale(LC_MESSAGES, "");
	if (locale_dir)
		bindtextdomain(domains[0], locale_dir);
	textdomain(domains[0]);
	/*
	 * LC_CTYPE stays "C", so the encoding is named here, for libc's texts too. LANGUAGE may
	 * list several languages: a text that no catalogue has makes gettext open all of them.
	 */
	for (size_t i = 0; i < PL_COUNT(domains); i++) {
		bind_textdomain_codeset(domains[i], "UTF-8");
		dgettext(domains[i], "");
		dgettext(domains[i], "\001 a text that no catalogue has");
	}
	strerror(ENOENT);
}

/* ---- progress ---- */

enum { SECOND_NS = 1000000000, WIDTH_UNKNOWN = 80, TEXT_MAX = 200 };

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

void pl_progress_start(struct pl_progress *p, const char *label, uint64_t total, bool force,
		       bool quiet)
{
	*p = (struct pl_progress){.label = label, .total = total};
	p->on = force || (!quiet && isatty(STDERR_FILENO));
	if (p->on)
		p->started_ns = p->shown_ns = now_ns();
}

/* "12.3 MiB" */
static void put_bytes(struct pl_buf *b, double bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	size_t unit = 0;
	while (bytes >= 1024 && unit + 1 < PL_COUNT(units)) {
		bytes /= 1024;
		unit++;
	}
	pl_buf_printf(b, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

/* "1:02:03", "2:03", "3 s" */
static void put_time(struct pl_buf *b, uint64_t s)
{
	if (s >= 3600)
		pl_buf_printf(b, "%u:%02u:%02u", (unsigned)(s / 3600), (unsigned)(s / 60 % 60),
			      (unsigned)(s % 60));
	else if (s >= 60)
		pl_buf_printf(b, "%u:%02u", (unsigned)(s / 60), (unsigned)(s % 60));
	else
		pl_buf_printf(b, "%u s", (unsigned)s);
}

static void progress_text(const struct pl_progress *p, uint64_t done, uint64_t now,
			  struct pl_buf *b)
{
	double rate = (double)done * SECOND_NS / (double)(now - p->started_ns);
	pl_buf_printf(b, "%s: ", p->label);
	put_bytes(b, (double)done);
	if (p->total) {
		double part = done < p->total ? (double)done / (double)p->total : 1;
		pl_buf_addz(b, " / ");
		put_bytes(b, (double)p->total);
		pl_buf_printf(b, ", %.0f %%", part * 100);
	}
	pl_buf_addz(b, ", ");
	put_bytes(b, rate);
	pl_buf_addz(b, "/s");
	if (p->total > done && rate > 0) {
		struct pl_buf left = {0};
		put_time(&left, (uint64_t)((double)(p->total - done) / rate + 0.5));
		pl_buf_addz(b, ", ");
		pl_buf_printf(b, _("%s left"), left.p);
		pl_buf_free(&left);
	}
}

/* Columns that a line on stderr may fill without wrapping. */
static size_t terminal_columns(void)
{
	size_t columns = pl_terminal_columns(STDERR_FILENO);
	return (columns ? columns : WIDTH_UNKNOWN) - 1;
}

static struct pl_str cut_columns(struct pl_str text, size_t columns)
{
	text = pl_utf8_cut(text, TEXT_MAX);
	for (size_t chars = pl_utf8_chars(text); pl_utf8_columns(text) > columns; chars--)
		text = pl_utf8_cut(text, chars - 1);
	return text;
}

static void progress_show(struct pl_progress *p, uint64_t done, uint64_t now)
{
	struct pl_buf text = {0}, line = {0};
	progress_text(p, done, now, &text);
	pl_buf_addc(&line, '\r');
	pl_buf_adds(&line, cut_columns(pl_buf_str(&text), terminal_columns()));
	pl_buf_addz(&line, "\033[K");
	/* A terminal that went away is no reason to stop the work. */
	p->on = pl_fd_write(STDERR_FILENO, line.p, line.n) == 0;
	p->visible = p->on;
	p->shown_ns = now;
	pl_buf_free(&text);
	pl_buf_free(&line);
}

void pl_progress_step(struct pl_progress *p, uint64_t done)
{
	if (!p->on)
		return;
	uint64_t now = now_ns();
	if (now - p->shown_ns >= SECOND_NS)
		progress_show(p, done, now);
}

void pl_progress_end(struct pl_progress *p)
{
	static const char wipe[] = "\r\033[K";
	if (p->visible)
		pl_fd_write(STDERR_FILENO, wipe, sizeof wipe - 1);
	p->on = p->visible = false;
}

/* ---- tables ---- */

void pl_table_start(struct pl_table *t, const enum pl_align *align, size_t columns)
{
	*t = (struct pl_table){.columns_n = columns};
	t->columns = pl_alloc(columns * sizeof *t->columns);
	for (size_t i = 0; i < columns; i++)
		t->columns[i].align = align[i];
}

void pl_table_cell(struct pl_table *t, struct pl_str text)
{
	struct pl_buf cell = {0};
	pl_buf_reserve(&cell, text.n);
	pl_utf8_terminal(&cell, text);
	struct pl_table_column *column = &t->columns[t->n % t->columns_n];
	size_t width = pl_utf8_columns(pl_buf_str(&cell));
	if (column->width < width)
		column->width = width;
	PL_GROW(t->cells, t->n + 1, t->cap);
	t->cells[t->n++] = (struct pl_table_cell){.text = pl_buf_str(&cell)};
}

void pl_table_paint(struct pl_table *t, const char *paint)
{
	t->cells[t->n - 1].paint = paint;
}

static void put_blanks(struct pl_buf *out, size_t n)
{
	while (n-- > 0)
		pl_buf_addc(out, ' ');
}

/* `blanks` are owed from the cells before: they are written only when something follows. */
static size_t put_cell(struct pl_buf *out, struct pl_table_column column, struct pl_table_cell cell,
		       size_t blanks)
{
	size_t pad = column.width - pl_utf8_columns(cell.text);
	if (cell.text.n == 0)
		return blanks + pad;
	put_blanks(out, blanks + (column.align == PL_RIGHT ? pad : 0));
	if (cell.paint)
		pl_buf_printf(out, "\033[%sm", cell.paint);
	pl_buf_adds(out, cell.text);
	if (cell.paint)
		pl_buf_addz(out, "\033[m");
	return column.align == PL_RIGHT ? 0 : pad;
}

void pl_table_print(const struct pl_table *t, struct pl_buf *out)
{
	size_t blanks = 0;
	for (size_t i = 0; i < t->n; i++) {
		size_t c = i % t->columns_n;
		blanks = put_cell(out, t->columns[c], t->cells[i], c ? blanks + 2 : 0);
		if (c + 1 == t->columns_n || i + 1 == t->n)
			pl_buf_addc(out, '\n');
	}
}

void pl_table_free(struct pl_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free((char *)t->cells[i].text.p);
	free(t->cells);
	free(t->columns);
	*t = (struct pl_table){0};
}
