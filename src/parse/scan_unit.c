#include "parse/scan_unit.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/builder.h"
#include "base/file.h"
#include "parse/attempt.h"
#include "parse/language.h"

bool rs_scan_unit_is_cxx(const struct rs_scan_unit *unit)
{
	return (unit->flags.language ? rs_language_of_name(unit->flags.language)
				     : rs_language_of_file(unit->file)) == RS_LANGUAGE_CXX;
}

static bool same_words(const struct rs_words *a, const struct rs_words *b)
{
	if (a->n_items != b->n_items)
		return false;
	for (size_t i = 0; i < a->n_items; i++)
		if (strcmp(a->items[i], b->items[i]) != 0)
			return false;
	return true;
}

static bool same_name(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_known(const struct rs_scan_units *units, const struct rs_scan_unit *unit)
{
	for (size_t i = 0; i < units->n_items; i++) {
		const struct rs_scan_unit *known = &units->items[i];

		if (known->hash == unit->hash && strcmp(known->file, unit->file) == 0 &&
		    same_words(&known->flags.words, &unit->flags.words) &&
		    same_name(known->flags.language, unit->flags.language))
			return true;
	}
	return false;
}

static uint64_t hash_of(const struct rs_scan_unit *unit)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_builder_append(&text, unit->file, strlen(unit->file) + 1);
	for (size_t i = 0; i < unit->flags.words.n_items; i++)
		rs_builder_append(&text, unit->flags.words.items[i], strlen(unit->flags.words.items[i]) + 1);
	return rs_hash_bytes(text.data, text.length);
}

void rs_scan_units_add_command(struct rs_arena *arena, const struct rs_compile_command *command,
			       const char *configuration, struct rs_scan_units *units)
{
	struct rs_scan_unit unit = { .file = command->file, .configuration = configuration };

	rs_notes_init(&unit.notes, arena);
	rs_flags_filter(arena, command->arguments, command->n_arguments, command->directory, NULL, &unit.notes,
			&unit.flags);
	unit.hash = hash_of(&unit);
	if (!is_known(units, &unit))
		*rs_array_push(arena, units->items, units->n_items, units->items_capacity) = unit;
}

void rs_scan_units_add_variant(struct rs_arena *arena, const struct rs_scan_unit *unit,
			       const char *configuration, const char *const *flags, size_t n_flags,
			       struct rs_scan_units *units)
{
	struct rs_scan_unit variant = *unit;
	struct rs_flags more;

	variant.configuration = configuration;
	rs_notes_init(&variant.notes, arena);
	variant.flags.words = (struct rs_words) { 0 };
	for (size_t i = 0; i < unit->flags.words.n_items; i++)
		rs_words_add(arena, &variant.flags.words, unit->flags.words.items[i]);
	rs_flags_filter(arena, flags, n_flags, rs_path_canonical(arena, "."), NULL, &variant.notes, &more);
	for (size_t i = 0; i < more.words.n_items; i++)
		rs_words_add(arena, &variant.flags.words, more.words.items[i]);
	variant.hash = hash_of(&variant);
	if (!is_known(units, &variant))
		*rs_array_push(arena, units->items, units->n_items, units->items_capacity) = variant;
}

void rs_scan_units_add(struct rs_arena *arena, const struct rs_compile_db *db, struct rs_scan_units *units)
{
	for (size_t i = 0; i < db->n_commands; i++)
		if (db->commands[i].is_c || db->commands[i].is_cxx)
			rs_scan_units_add_command(arena, &db->commands[i], NULL, units);
}

static struct rs_error *explain(const struct rs_scan_unit *unit, const struct rs_diagnostic *wrong)
{
	if (!wrong)
		return rs_error_create(RS_ERROR_PARSE, unit->file, 0, 0, "the compiler does not read the file");
	return rs_error_create(RS_ERROR_PARSE, wrong->path ? wrong->path : unit->file, wrong->line,
			       wrong->column, "%s", wrong->message);
}

static struct rs_error *try_to_open(struct rs_parser *parser, const struct rs_scan_unit *unit,
				    bool with_prelude, struct rs_tu **ret_tu)
{
	const struct rs_attempt attempt = { .requested_path = unit->file,
					    .main_file = unit->file,
					    .flags = &unit->flags,
					    .notes = &unit->notes,
					    .with_prelude = with_prelude };
	const struct rs_diagnostic *wrong;

	*ret_tu = NULL;
	RS_TRY(rs_attempt_parse(parser, &attempt, ret_tu));
	return rs_attempt_is_clean(*ret_tu, &wrong) ? NULL : explain(unit, wrong);
}

struct rs_error *rs_scan_unit_read(struct rs_parser *parser, const struct rs_scan_unit *unit,
				   struct rs_tu **ret_tu)
{
	struct rs_error *error, *second;

	*ret_tu = NULL;
	if (access(unit->file, R_OK) != 0)
		return rs_error_create(RS_ERROR_IO, unit->file, 0, 0, "cannot read: %s", strerror(errno));
	error = try_to_open(parser, unit, false, ret_tu);
	if (!error || !parser->options.prelude)
		return error;
	rs_tu_destroy(*ret_tu);
	second = try_to_open(parser, unit, true, ret_tu);
	if (!second) {
		rs_error_destroy(error);
		return NULL;
	}
	rs_error_destroy(second);
	rs_tu_destroy(*ret_tu);
	*ret_tu = NULL;
	return error;
}

struct rs_error *rs_scan_unit_open(struct rs_parser *parser, const struct rs_scan_unit *unit,
				   struct rs_tu **ret_tu)
{
	struct rs_tu *tu;
	struct rs_error *error = rs_scan_unit_read(parser, unit, &tu);

	if (error)
		rs_tu_destroy(tu);
	else
		*ret_tu = tu;
	return error;
}

struct rs_error *rs_scan_unit_open_replaced(struct rs_parser *parser, const struct rs_scan_unit *unit,
					    bool with_prelude, const struct rs_buffer *replaced,
					    size_t n_replaced, struct rs_tu **ret_tu)
{
	const struct rs_attempt attempt = { .requested_path = unit->file,
					    .main_file = unit->file,
					    .flags = &unit->flags,
					    .notes = &unit->notes,
					    .with_prelude = with_prelude,
					    .replaced = replaced,
					    .n_replaced = n_replaced };

	return rs_attempt_parse(parser, &attempt, ret_tu);
}

bool rs_scan_unit_is(const struct rs_scan_unit *unit, const struct rs_tu *tu)
{
	if (strcmp(unit->file, tu->main_file) != 0 || !same_words(&unit->flags.words, &tu->flags))
		return false;
	for (size_t i = 0; i < tu->n_diagnostics; i++)
		if (tu->diagnostics[i].is_error)
			return false;
	return true;
}
