/* rules: the files, and which rules look for a pattern */
#include "rules.h"
#include "fd.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

void rules_init(struct rules *r)
{
	memset(r, 0, sizeof *r);
	globs_init(&r->symbols);
	globs_init(&r->dsos);
	pl_intern_init(&r->ids);
}

void rules_free(struct rules *r)
{
	globs_free(&r->symbols);
	globs_free(&r->dsos);
	pl_intern_free(&r->ids);
	names_free(&r->names);
	pl_arena_free(&r->arena);
	free(r->by_symbol);
	free(r->files);
	free(r->v);
	memset(r, 0, sizeof *r);
}

/* ---- files ---- */

static int cannot_read(struct pl_err *err, const char *path, int why)
{
	pl_err_set(err, PL_E_INVALID_INPUT, _("cannot read rules: %s"), strerror(why));
	return pl_err_at(err, path, 0);
}

static int read_all(const char *path, struct pl_buf *text, struct pl_err *err)
{
	int fd = pl_fd_open(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	ssize_t got = 0;

	if (fd < 0)
		return cannot_read(err, path, errno);
	do {
		pl_buf_reserve(text, 1 << 16);
		got = pl_fd_read(fd, text->p + text->n, 1 << 16);
		if (got > 0)
			text->n += (size_t)got;
	} while (text->n <= RULES_FILE_BYTES && got > 0);
	int why = errno;
	close(fd);
	if (got < 0)
		return cannot_read(err, path, why);
	if (text->n <= RULES_FILE_BYTES)
		return 0;
	pl_err_set(err, PL_E_RESOURCE_LIMIT_EXCEEDED, _("a rule file of more than %d bytes"),
		   RULES_FILE_BYTES);
	return pl_err_at(err, path, 0);
}

static void add_file(struct rules *r, const char *path, struct pl_str text, size_t rules)
{
	struct pl_str name = pl_str_base(pl_str(path));
	struct pl_sha256 h;

	PL_GROW(r->files, r->files_n + 1, r->files_cap);
	struct rule_file *file = &r->files[r->files_n++];
	file->name = (struct pl_str){pl_arena_dup(&r->arena, name.p, name.n), name.n};
	file->rules = rules;
	pl_sha256_start(&h);
	pl_sha256_add(&h, text.p, text.n);
	pl_sha256_end(&h, file->sha256);
}

int rules_read_file(struct rules *r, const char *path, struct pl_err *err)
{
	struct pl_buf text = {0};
	char message[512];
	size_t before = r->n;
	const char *wrong = NULL;
	int got = 0;

	if (r->files_n == RULES_FILES)
		got = pl_err_set(err, PL_E_RESOURCE_LIMIT_EXCEEDED, _("more than %d rule files"),
				 RULES_FILES);
	else
		got = read_all(path, &text, err);
	if (got == 0)
		wrong = rulefile_add(r, pl_buf_str(&text), message);
	if (wrong) {
		pl_err_set(err, PL_E_PROFILE_PARSE_FAILED, "%s", wrong);
		got = pl_err_at(err, path, 0);
	}
	if (got == 0)
		add_file(r, path, pl_buf_str(&text), r->n - before);
	pl_buf_free(&text);
	return got;
}

static int is_rule_file(const struct dirent *entry)
{
	struct pl_str name = pl_str(entry->d_name);

	return name.p[0] != '.' && pl_str_ends(name, ".json");
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int rules_read_folder(struct rules *r, const char *path, struct pl_err *err)
{
	struct dirent **names = NULL;
	struct pl_buf file = {0};
	int n = scandir(path, &names, is_rule_file, by_bytes), got = 0;

	if (n < 0)
		return cannot_read(err, path, errno);
	for (int i = 0; i < n; i++) {
		pl_buf_clear(&file);
		pl_buf_printf(&file, "%s/%s", path, names[i]->d_name);
		if (got == 0)
			got = rules_read_file(r, file.p, err);
		free(names[i]);
	}
	free(names);
	pl_buf_free(&file);
	return got;
}

/* ---- the index ---- */

void rules_end(struct rules *r)
{
	size_t patterns = r->symbols.patterns.n;

	r->by_symbol = pl_alloc((patterns + 1) * sizeof *r->by_symbol);
	for (size_t i = 0; i < r->n; i++)
		for (size_t k = 0; k < r->v[i].symbols.n; k++)
			r->by_symbol[r->v[i].symbols.v[k]].n++;
	for (size_t p = 0; p < patterns; p++) {
		r->by_symbol[p].v = pl_arena_alloc(&r->arena, r->by_symbol[p].n * sizeof(uint32_t));
		r->by_symbol[p].n = 0;
	}
	for (size_t i = 0; i < r->n; i++)
		for (size_t k = 0; k < r->v[i].symbols.n; k++) {
			struct rule_patterns *p = &r->by_symbol[r->v[i].symbols.v[k]];
			p->v[p->n++] = (uint32_t)i;
		}
}
