#include "session/mirrors.h"

#include <string.h>

#include "base/file.h"
#include "base/walk.h"
#include "session/mirror_assembly.h"
#include "session/mirror_copies.h"
#include "session/mirror_cxx.h"
#include "session/mirror_foreign.h"
#include "session/mirror_index.h"
#include "session/mirror_language.h"
#include "session/mirror_offsets.h"
#include "session/mirror_scan.h"

enum { FILTER_BITS = 1 << 16 };

struct search {
	struct rs_arena *arena;
	struct rs_notes *notes;
	struct rs_mirror_index index;
	struct rs_mirror_foreign *foreign;
	struct rs_mirror_scan scan;      /* one after the other uses it */
	uint8_t filter[FILTER_BITS / 8]; /* hashes of the records' names: most words are none of them */
};

struct file {
	const char *path;
	const char *text;
	size_t size;
	const struct rs_mirror_language *language;
};

static bool is_wanted(const char *name)
{
	return rs_mirror_language_of(name) != NULL;
}

static void fill_filter(struct search *search)
{
	const struct rs_mirror_table *names = &search->index.names;

	for (size_t i = 0; i < names->n_slots; i++)
		if (names->slots[i]) {
			size_t bit = (size_t)names->slots[i]->hash % FILTER_BITS;
			search->filter[bit / 8] |= (uint8_t)(1u << bit % 8);
		}
}

static bool is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static char first_byte_at(const struct file *file, size_t at)
{
	while (at < file->size && strchr(" \t\r\n", file->text[at]))
		at++;
	return at < file->size ? file->text[at] : '\0';
}

static char first_byte_of_line(const struct file *file, size_t at)
{
	while (at > 0 && file->text[at - 1] != '\n')
		at--;
	return first_byte_at(file, at);
}

/* `tag {`, `} tag;`, `} __attribute__((…)) tag;`, `tag ATTRIBUTE {`. */
static bool may_define(const struct file *file, size_t start, size_t end)
{
	char behind = first_byte_at(file, end);

	if (behind == '{')
		return true;
	if (behind == ';' || behind == ',')
		return first_byte_of_line(file, start) == '}';
	if (!is_word_byte(behind))
		return false;
	while (end < file->size && !is_word_byte(file->text[end]))
		end++;
	while (end < file->size && is_word_byte(file->text[end]))
		end++;
	return first_byte_at(file, end) == '{';
}

/* Whether a C file is worth a closer look: most only use the records. all: any mention of a name is. */
static bool may_matter(const struct search *search, const struct file *file, bool all)
{
	const char *text = file->text;

	for (size_t i = 0; i < file->size;) {
		if (!is_word_byte(text[i])) {
			i++;
			continue;
		}
		size_t start = i;
		uint64_t hash = rs_hash_bytes(NULL, 0);
		for (; i < file->size && is_word_byte(text[i]); i++)
			hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
		size_t bit = (size_t)hash % FILTER_BITS;
		if (search->filter[bit / 8] & 1u << bit % 8 &&
		    rs_mirror_index_name(&search->index, text + start, i - start) &&
		    (all || may_define(file, start, i)))
			return true;
	}
	return false;
}

static bool holds(const struct file *file, const char *word)
{
	return memmem(file->text, file->size, word, strlen(word)) != NULL;
}

static void scan_file(struct search *search, const struct file *file)
{
	rs_mirror_scan_text(&search->scan, &search->index, file->text, file->size, file->language->style);
}

static void check_c(struct search *search, struct rs_arena *scratch, const struct file *file)
{
	bool is_header = file->path[strlen(file->path) - 1] == 'h';
	bool has_cxx =
		holds(file, "__cplusplus") ||
		(is_header && (holds(file, "namespace") || holds(file, "template") || holds(file, "class")));
	bool has_generator = holds(file, "DEFINE(") || holds(file, "OFFSET(");

	if (!may_matter(search, file, has_cxx || has_generator))
		return;
	scan_file(search, file);
	rs_mirror_copies_check(scratch, &search->index, file->path, &search->scan);
	if (has_generator)
		rs_mirror_assembly_check_generator(scratch, &search->index, file->path, &search->scan);
	if (has_cxx)
		rs_mirror_cxx_check(scratch, &search->index, file->path,
				    is_header && rs_mirror_cxx_is_cxx(&search->scan), &search->scan);
}

static void check_cxx(struct search *search, struct rs_arena *scratch, const struct file *file)
{
	if (!may_matter(search, file, true) && !holds(file, "auto"))
		return;
	scan_file(search, file);
	rs_mirror_copies_check(scratch, &search->index, file->path, &search->scan);
	rs_mirror_cxx_check(scratch, &search->index, file->path, true, &search->scan);
}

static void check_file(struct search *search, const char *path)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct file file = { .path = path, .language = rs_mirror_language_of(rs_path_basename(path)) };
	char *text;

	if (!rs_walk_read(scratch, path, search->notes, &text, &file.size))
		return;
	file.text = text;
	enum rs_mirror_kind kind = file.language->kind;
	rs_mirror_offsets_check(scratch, &search->index, path, kind, text, file.size);
	if (kind == RS_MIRROR_C) {
		check_c(search, scratch, &file);
	} else if (kind == RS_MIRROR_CXX) {
		check_cxx(search, scratch, &file);
	} else {
		scan_file(search, &file);
		rs_mirror_foreign_check(search->foreign, path, file.language, &search->scan);
	}
	if (kind == RS_MIRROR_ASSEMBLY)
		rs_mirror_assembly_check(scratch, &search->index, path, &search->scan);
}

void rs_mirrors_find(struct rs_arena *arena, const char *root, const struct rs_record *const *records,
		     size_t n_records, struct rs_pin_list *lists, struct rs_notes *notes)
{
	struct search search = { .arena = arena, .notes = notes };

	if (n_records == 0)
		return;
	rs_mirror_index_init(&search.index, arena, records, n_records, lists);
	search.foreign = rs_mirror_foreign_create(arena, &search.index);
	fill_filter(&search);
	struct rs_walk walk = rs_walk_files(arena, root, RS_WALK_MAX_ENTRIES, is_wanted, notes);
	for (size_t i = 0; i < walk.n_paths; i++)
		check_file(&search, walk.paths[i]);
	rs_mirror_scan_deinit(&search.scan);
}
