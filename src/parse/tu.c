#include "parse/tu.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "parse/attempt.h"
#include "parse/clang.h"
#include "parse/search.h"
#include "parse/tu_state.h"

static const char *copy_text(struct rs_arena *arena, const char *text)
{
	return text ? rs_arena_strdup(arena, text) : NULL;
}

static const char *const *copy_list(struct rs_arena *arena, const char *const *list, size_t count)
{
	const char **copy = rs_arena_array(arena, const char *, count);

	for (size_t i = 0; i < count; i++)
		copy[i] = rs_arena_strdup(arena, list[i]);
	return copy;
}

static void copy_options(struct rs_parser *parser, const struct rs_parse_options *options)
{
	struct rs_arena *arena = parser->arena;
	struct rs_buffer *buffers = rs_arena_array(arena, struct rs_buffer, options->n_buffers);

	for (size_t i = 0; i < options->n_buffers; i++) {
		buffers[i] = options->buffers[i];
		buffers[i].path = rs_path_canonical(arena, options->buffers[i].path);
	}
	parser->options = *options;
	parser->options.build_directory = copy_text(arena, options->build_directory);
	parser->options.flags = copy_list(arena, options->flags, options->n_flags);
	parser->options.resource_directory = copy_text(arena, options->resource_directory);
	parser->options.contexts = copy_list(arena, options->contexts, options->n_contexts);
	parser->options.prelude = copy_text(arena, options->prelude);
	parser->options.buffers = buffers;
}

static const char *current_folder(struct rs_arena *arena)
{
	return rs_path_canonical(arena, ".");
}

struct rs_error *rs_parser_create(const struct rs_parse_options *options, struct rs_notes *notes,
				  struct rs_parser **ret_parser)
{
	struct rs_arena *arena = rs_arena_create();
	struct rs_parser *parser = rs_arena_new(arena, struct rs_parser);
	const struct rs_compile_db *db;
	struct rs_error *error;

	parser->arena = arena;
	parser->notes = notes;
	copy_options(parser, options);
	parser->folder = current_folder(arena);
	error = rs_compile_resource_directory(arena, parser->options.resource_directory,
					      &parser->resource_directory);
	if (!error && parser->options.build_directory && !parser->options.has_flags)
		error = rs_search_database(parser, NULL, &db);
	if (error) {
		rs_arena_destroy(arena);
		return error;
	}
	parser->index = clang_createIndex(0, 0);
	parser->texts = rs_known_texts_create();
	*ret_parser = parser;
	return NULL;
}

struct rs_parser *rs_parser_create_worker(const struct rs_parser *of, struct rs_notes *notes)
{
	struct rs_arena *arena = rs_arena_create();
	struct rs_parser *parser = rs_arena_new(arena, struct rs_parser);

	*parser = (struct rs_parser) { .arena = arena,
				       .options = of->options,
				       .notes = notes,
				       .resource_directory = of->resource_directory,
				       .folder = of->folder };
	parser->index = clang_createIndex(0, 0);
	parser->texts = rs_known_texts_create();
	return parser;
}

void rs_parser_destroy(struct rs_parser *parser)
{
	if (!parser)
		return;
	clang_disposeIndex(parser->index);
	rs_known_texts_destroy(parser->texts);
	rs_arena_destroy(parser->arena);
}

void rs_parser_destroyp(struct rs_parser **parser)
{
	rs_parser_destroy(*parser);
}

const char *rs_parser_version(void)
{
	return rs_clang_name();
}

static void hand_over_notes(struct rs_tu *tu)
{
	for (size_t i = 0; i < tu->notes.n_items; i++) {
		const struct rs_note *note = &tu->notes.items[i];

		rs_notes_add(tu->parser->notes, note->severity, note->path, note->line, note->column, "%s",
			     note->message);
	}
}

struct rs_error *rs_tu_open(struct rs_parser *parser, const char *file, struct rs_tu **ret_tu)
{
	struct rs_tu *tu;

	RS_TRY(rs_search_unit(parser, file, &tu));
	hand_over_notes(tu);
	*ret_tu = tu;
	return NULL;
}

struct rs_error *rs_tu_open_use(struct rs_parser *parser, const char *file, struct rs_tu **ret_tu)
{
	struct rs_tu *tu;

	RS_TRY(rs_search_use(parser, file, &tu));
	hand_over_notes(tu);
	*ret_tu = tu;
	return NULL;
}

static struct rs_error *check_clean(const struct rs_tu *tu)
{
	const struct rs_diagnostic *wrong;

	if (rs_attempt_is_clean(tu, &wrong))
		return NULL;
	if (!wrong)
		return rs_error_create(RS_ERROR_PARSE, tu->requested_path, 0, 0,
				       "the translation unit does not read this file");
	return rs_error_create(RS_ERROR_PARSE, wrong->path ? wrong->path : tu->requested_path, wrong->line,
			       wrong->column, "%s", wrong->message);
}

struct rs_error *rs_tu_vary(const struct rs_tu *tu, const char *const *flags, size_t n_flags,
			    struct rs_tu **ret_tu)
{
	struct rs_tu *varied;

	RS_TRY(rs_attempt_vary(tu, flags, n_flags, &varied));
	struct rs_error *error = check_clean(varied);
	if (error) {
		rs_tu_destroy(varied);
		return error;
	}
	hand_over_notes(varied);
	*ret_tu = varied;
	return NULL;
}

void rs_tu_destroy(struct rs_tu *tu)
{
	if (!tu)
		return;
	if (tu->unit)
		clang_disposeTranslationUnit(tu->unit);
	rs_arena_destroy(tu->awake);
	rs_arena_destroy(tu->arena);
}

void rs_tu_destroyp(struct rs_tu **tu)
{
	rs_tu_destroy(*tu);
}

const char *rs_tu_main_file(const struct rs_tu *tu)
{
	return tu->main_file;
}

static uint64_t identity(uint64_t device, uint64_t inode)
{
	const uint64_t both[] = { device, inode };

	return rs_hash_bytes(both, sizeof both);
}

static int by_number(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

void rs_tu_remember(const struct rs_tu *tu, struct rs_arena *arena, struct rs_tu_reading *ret_reading)
{
	const struct rs_inclusions *inclusions = &tu->inclusions;
	uint64_t *files = rs_arena_array(arena, uint64_t, inclusions->n_items);
	size_t count = 0;

	for (size_t i = 0; i < inclusions->n_items; i++) {
		CXFileUniqueID id;

		if (clang_getFileUniqueID(inclusions->items[i].file, &id) == 0)
			files[count++] = identity(id.data[0], id.data[1]);
	}
	qsort(files, count, sizeof *files, by_number);
	*ret_reading = (struct rs_tu_reading) { .files = files, .n_files = count };
}

bool rs_tu_reading_has(const struct rs_tu_reading *reading, const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0)
		return true;
	const uint64_t wanted = identity(status.st_dev, status.st_ino);
	return bsearch(&wanted, reading->files, reading->n_files, sizeof wanted, by_number) != NULL;
}

const char *rs_tu_triple(const struct rs_tu *tu)
{
	return tu->triple;
}

const struct rs_diagnostic *rs_tu_diagnostics(const struct rs_tu *tu, size_t *ret_count)
{
	*ret_count = tu->n_diagnostics;
	return tu->diagnostics;
}
