#include "parse/attempt.h"

#include <string.h>

#include "base/file.h"
#include "parse/clang.h"
#include "parse/diagnostics.h"
#include "parse/language.h"

/*
 * Everything off but what a broken rewrite can cause: initialisers that now meet another member, comments and
 * directives cut in two, declarations that lost their declarator, attributes that moved away. Unknown names
 * are accepted in silence.
 */
static const char *const last_arguments[] = {
	"-ferror-limit=0",
	"-Wno-everything",
	"-Wno-error",
	"-Wbackslash-newline-escape",
	"-Wbitfield-constant-conversion",
	"-Wc++11-narrowing",
	"-Wcomment",
	"-Wconstant-conversion",
	"-Wduplicate-decl-specifier",
	"-Wenum-conversion",
	"-Wexcess-initializers",
	"-Wextra-tokens",
	"-Wgnu-variable-sized-type-not-at-end",
	"-Wignored-attributes",
	"-Wincompatible-function-pointer-types",
	"-Wincompatible-pointer-types",
	"-Winitializer-overrides",
	"-Wint-conversion",
	"-Winvalid-pp-token",
	"-Wmacro-redefined",
	"-Wmissing-braces",
	"-Wmissing-declarations",
	"-Wnon-literal-null-conversion",
	"-Wpointer-bool-conversion",
	"-Wpointer-sign",
	"-Wpragma-pack",
	"-Wreorder-init-list",
	"-Wunknown-attributes",
	"-Wunknown-escape-sequence",
	"-Wvisibility",
};

static bool is_cxx(const struct rs_flags *flags, const char *file)
{
	return (flags->language ? rs_language_of_name(flags->language) : rs_language_of_file(file)) ==
	       RS_LANGUAGE_CXX;
}

/* Flags are written for all files at once. */
static bool is_other_standard(const char *flag, bool is_cxx)
{
	return strncmp(flag, "-std=", 5) == 0 && (strstr(flag, "++") != NULL) != is_cxx;
}

static void note_other_standard(struct rs_tu *tu)
{
	for (size_t i = 0; i < tu->flags.n_items; i++)
		if (is_other_standard(tu->flags.items[i], tu->is_cxx))
			rs_notes_add(&tu->notes, RS_NOTE_INFO, NULL, 0, 0, "dropped %s, which is not for %s",
				     tu->flags.items[i], tu->is_cxx ? "C++" : "C");
}

static void add_arguments(struct rs_tu *tu, const struct rs_words *flags)
{
	struct rs_words *words = &tu->arguments;
	bool is_header = rs_language_of_file(tu->main_file) == RS_LANGUAGE_C_HEADER;
	const char *c = is_header ? "c-header" : "c";

	*words = (struct rs_words) { 0 };
	rs_words_add(tu->arena, words, "-x");
	rs_words_add(tu->arena, words, tu->is_cxx ? "c++" : c);
	for (size_t i = 0; i < flags->n_items; i++)
		if (!is_other_standard(flags->items[i], tu->is_cxx))
			rs_words_add(tu->arena, words, rs_arena_strdup(tu->arena, flags->items[i]));
	if (tu->has_prelude) {
		const char *const include[] = { "-Xclang", "-include", "-Xclang", RS_PRELUDE_PATH };

		for (size_t i = 0; i < RS_COUNT_OF(include); i++)
			rs_words_add(tu->arena, words, include[i]);
	}
	rs_words_add(tu->arena, words, "-resource-dir");
	rs_words_add(tu->arena, words, tu->parser->resource_directory);
	for (size_t i = 0; i < RS_COUNT_OF(last_arguments); i++)
		rs_words_add(tu->arena, words, last_arguments[i]);
}

struct unsaved {
	struct CXUnsavedFile *files;
	size_t n_files, files_capacity;
};

static void add_unsaved(struct rs_arena *arena, struct unsaved *unsaved, const char *path, const char *text,
			size_t size)
{
	for (size_t i = 0; i < unsaved->n_files; i++)
		if (strcmp(unsaved->files[i].Filename, path) == 0)
			return;
	*rs_array_push(arena, unsaved->files, unsaved->n_files, unsaved->files_capacity) =
		(struct CXUnsavedFile) { .Filename = path, .Contents = text, .Length = size };
}

/* First come, first served: what replaces a file stands before what the user had not saved. */
static struct unsaved collect_unsaved(struct rs_arena *arena, const struct rs_tu *tu,
				      const struct rs_buffer *replaced, size_t n_replaced)
{
	const struct rs_parse_options *options = &tu->parser->options;
	struct unsaved unsaved = { 0 };

	for (size_t i = 0; i < n_replaced; i++)
		add_unsaved(arena, &unsaved, rs_path_canonical(arena, replaced[i].path), replaced[i].text,
			    replaced[i].size);
	for (size_t i = 0; i < options->n_buffers; i++)
		add_unsaved(arena, &unsaved, options->buffers[i].path, options->buffers[i].text,
			    options->buffers[i].size);
	if (tu->has_prelude)
		add_unsaved(arena, &unsaved, RS_PRELUDE_PATH, options->prelude, strlen(options->prelude));
	return unsaved;
}

static enum CXErrorCode parse(struct rs_tu *tu, const struct rs_buffer *replaced, size_t n_replaced)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct unsaved unsaved = collect_unsaved(scratch, tu, replaced, n_replaced);
	/* A missing include in the middle must not hide what the rest of the unit has to say to a rewrite. */
	unsigned options = CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing;

	tu->has_buffers = unsaved.n_files > (size_t)tu->has_prelude;
	tu->started_ns = rs_file_state_now_ns();
	if (!tu->parser->options.with_bodies)
		options |= CXTranslationUnit_SkipFunctionBodies;
	return clang_parseTranslationUnit2(tu->parser->index, tu->main_file, tu->arguments.items,
					   (int)tu->arguments.n_items, unsaved.files, (unsigned)unsaved.n_files,
					   options, &tu->unit);
}

static bool refuses_flags(enum CXErrorCode code)
{
	return code == CXError_Failure || code == CXError_ASTReadError;
}

static bool holds(const struct rs_words *words, const char *word)
{
	for (size_t i = 0; i < words->n_items; i++)
		if (strcmp(words->items[i], word) == 0)
			return true;
	return false;
}

static void note_left_out(struct rs_tu *tu, const struct rs_words *all, const struct rs_words *taken)
{
	for (size_t i = 0; i < all->n_items; i++)
		if (all->items[i][0] == '-' && !holds(taken, all->items[i]))
			rs_notes_add(&tu->notes, RS_NOTE_WARNING, NULL, 0, 0,
				     "dropped %s: libclang could not start with these flags, so only those "
				     "were kept "
				     "that name files, define macros or shape types",
				     all->items[i]);
}

/* libclang gives no reason when it refuses flags as a whole, so all that can be spared is left out. */
static enum CXErrorCode parse_with_flags(struct rs_tu *tu, const struct rs_attempt *attempt)
{
	const struct rs_flags *flags = attempt->flags;
	enum CXErrorCode code;

	add_arguments(tu, &flags->words);
	code = parse(tu, attempt->replaced, attempt->n_replaced);
	for (int with_cpu = 1; with_cpu >= 0 && refuses_flags(code); with_cpu--) {
		struct rs_flags fewer;

		rs_flags_essential(tu->arena, flags, with_cpu, &fewer);
		add_arguments(tu, &fewer.words);
		code = parse(tu, attempt->replaced, attempt->n_replaced);
		if (code == CXError_Success)
			note_left_out(tu, &flags->words, &fewer.words);
	}
	return code;
}

static struct rs_error *explain(const struct rs_tu *tu, enum CXErrorCode code)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder flags = { 0 };

	if (code == CXError_Crashed)
		return rs_error_create(RS_ERROR_INTERNAL, rs_tu_shown_main_file(tu), 0, 0,
				       "libclang %s crashed on this file", rs_clang_version());
	for (size_t i = 0; i < tu->arguments.n_items; i++)
		if (rs_flags_find_effect(tu->arguments.items[i]) == RS_FLAGS_LAYOUT ||
		    strncmp(tu->arguments.items[i], "-std=", 5) == 0)
			rs_builder_printf(&flags, " %s", tu->arguments.items[i]);
	return rs_error_create(RS_ERROR_PARSE, rs_tu_shown_main_file(tu), 0, 0,
			       "libclang %s cannot parse this file with its compiler flags%s%s",
			       rs_clang_version(), flags.length ? ", probably for" : "",
			       flags.length ? flags.data : "");
}

static void read_triple(struct rs_tu *tu)
{
	CXTargetInfo target = clang_getTranslationUnitTargetInfo(tu->unit);

	tu->triple = rs_tu_string(tu->arena, clang_TargetInfo_getTriple(target));
	clang_TargetInfo_dispose(target);
}

static void settle(struct rs_tu *tu)
{
	tu->awake = rs_arena_create();
	rs_inclusions_read(tu->awake, tu->unit, &tu->inclusions);
	tu->requested_file = rs_tu_file(tu, tu->requested);
}

static struct rs_error *finish(struct rs_tu *tu, enum CXErrorCode code)
{
	if (code != CXError_Success)
		return explain(tu, code);
	read_triple(tu);
	settle(tu);
	return rs_diagnostics_read(tu);
}

static struct rs_tu *create(struct rs_parser *parser, const char *requested_path, const char *main_file)
{
	struct rs_arena *arena = rs_arena_create();
	struct rs_tu *tu = rs_arena_new(arena, struct rs_tu);

	tu->arena = arena;
	tu->parser = parser;
	tu->requested_path = rs_arena_strdup(arena, requested_path);
	tu->requested = rs_path_canonical(arena, requested_path);
	tu->main_file = rs_arena_strdup(arena, main_file);
	rs_notes_init(&tu->notes, arena);
	return tu;
}

struct rs_error *rs_attempt_parse(struct rs_parser *parser, const struct rs_attempt *attempt,
				  struct rs_tu **ret_tu)
{
	struct rs_tu *tu = create(parser, attempt->requested_path, attempt->main_file);

	for (size_t i = 0; i < attempt->notes->n_items; i++)
		rs_notes_add(&tu->notes, attempt->notes->items[i].severity, NULL, 0, 0, "%s",
			     attempt->notes->items[i].message);
	tu->has_prelude = attempt->with_prelude;
	tu->is_cxx = is_cxx(attempt->flags, attempt->main_file);
	for (size_t i = 0; i < attempt->flags->words.n_items; i++)
		rs_words_add(tu->arena, &tu->flags, rs_arena_strdup(tu->arena, attempt->flags->words.items[i]));
	note_other_standard(tu);
	struct rs_error *error = finish(tu, parse_with_flags(tu, attempt));
	if (error)
		rs_tu_destroy(tu);
	else
		*ret_tu = tu;
	return error;
}

static struct rs_tu *create_like(const struct rs_tu *old)
{
	struct rs_tu *tu = create(old->parser, old->requested_path, old->main_file);

	tu->has_prelude = old->has_prelude;
	tu->is_cxx = old->is_cxx;
	for (size_t i = 0; i < old->flags.n_items; i++)
		rs_words_add(tu->arena, &tu->flags, rs_arena_strdup(tu->arena, old->flags.items[i]));
	for (size_t i = 0; i < old->arguments.n_items; i++)
		rs_words_add(tu->arena, &tu->arguments, rs_arena_strdup(tu->arena, old->arguments.items[i]));
	return tu;
}

struct rs_error *rs_attempt_vary(const struct rs_tu *old, const char *const *flags, size_t n_flags,
				 struct rs_tu **ret_tu)
{
	struct rs_tu *tu = create_like(old);
	struct rs_flags filtered;

	rs_flags_filter(tu->arena, flags, n_flags, old->parser->folder, NULL, &tu->notes, &filtered);
	for (size_t i = 0; i < filtered.words.n_items; i++) {
		rs_words_add(tu->arena, &tu->flags, filtered.words.items[i]);
		if (!is_other_standard(filtered.words.items[i], tu->is_cxx))
			rs_words_add(tu->arena, &tu->arguments, filtered.words.items[i]);
	}
	struct rs_error *error = finish(tu, parse(tu, NULL, 0));
	if (error)
		rs_tu_destroy(tu);
	else
		*ret_tu = tu;
	return error;
}

struct rs_error *rs_tu_reopen(const struct rs_tu *old, const struct rs_buffer *replaced, size_t n_replaced,
			      struct rs_tu **ret_tu)
{
	struct rs_tu *tu = create_like(old);
	struct rs_error *error = finish(tu, parse(tu, replaced, n_replaced));
	if (error)
		rs_tu_destroy(tu);
	else
		*ret_tu = tu;
	return error;
}

struct rs_error *rs_attempt_repeat(struct rs_tu *tu)
{
	enum CXErrorCode code = parse(tu, NULL, 0);

	if (code != CXError_Success)
		return explain(tu, code);
	settle(tu);
	return NULL;
}

bool rs_attempt_is_clean(const struct rs_tu *tu, const struct rs_diagnostic **ret_error)
{
	*ret_error = NULL;
	if (!tu->requested_file)
		return false;
	for (size_t i = 0; i < tu->n_diagnostics; i++) {
		if (!tu->diagnostics[i].is_error ||
		    !rs_inclusions_affects(&tu->inclusions, tu->places[i], tu->requested_file))
			continue;
		*ret_error = &tu->diagnostics[i];
		return false;
	}
	return true;
}
