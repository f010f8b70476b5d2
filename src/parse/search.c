#include "parse/search.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "parse/attempt.h"
#include "parse/candidates.h"
#include "parse/conditionals.h"
#include "parse/language.h"

enum {
	MAX_CANDIDATES = 40, /* parses for a header that no source was named for */
	MAX_BETTER = 8,      /* the same when it also stands alone */
};

/* How much an error says about what the user has to do; the first of the highest rank is reported. */
enum rank { RANK_NONE, RANK_ALONE, RANK_CANDIDATE, RANK_CONTEXT, RANK_PRELUDE };

struct search {
	struct rs_parser *parser;
	struct rs_arena *arena; /* for the search only */
	const char *path;       /* as given */
	const char *file;       /* canonical */
	bool is_header, is_cxx;
	const struct rs_compile_db *db;
	struct rs_tu *fallback; /* reads the file, but perhaps not as its users do */
	size_t n_candidates;    /* tried */
	struct rs_error *error;
	enum rank rank;
};

/* One way to compile a main file. */
struct way {
	const char *main_file;
	struct rs_flags flags;
	struct rs_notes notes;
};

struct ways {
	struct way *items;
	size_t n_items, items_capacity;
};

static void deinit(struct search *search)
{
	rs_tu_destroy(search->fallback);
	rs_error_destroy(search->error);
	rs_arena_destroy(search->arena);
}

static struct rs_error *read_database(struct rs_parser *parser, const char *path,
				      const struct rs_compile_db **ret_db)
{
	struct rs_compile_db *db;

	for (size_t i = 0; i < parser->n_dbs; i++) {
		*ret_db = parser->dbs[i];
		if (strcmp(parser->dbs[i]->path, path) == 0)
			return NULL;
	}
	db = rs_arena_new(parser->arena, struct rs_compile_db);
	RS_TRY(rs_compile_db_read(parser->arena, path, db));
	*rs_array_push(parser->arena, parser->dbs, parser->n_dbs, parser->dbs_capacity) = db;
	*ret_db = db;
	return NULL;
}

struct rs_error *rs_search_database(struct rs_parser *parser, const char *file,
				    const struct rs_compile_db **ret_db)
{
	const char *given = parser->options.build_directory;
	char *found;

	*ret_db = NULL;
	if (parser->options.has_flags)
		return NULL;
	if (given && parser->n_dbs > 0) {
		*ret_db = parser->dbs[0];
		return NULL;
	}
	if (given)
		return read_database(parser, given, ret_db);
	found = rs_compile_db_locate(parser->arena, file);
	return found ? read_database(parser, found, ret_db) : NULL;
}

static bool is_unsaved(const struct rs_parser *parser, const char *file)
{
	for (size_t i = 0; i < parser->options.n_buffers; i++)
		if (strcmp(parser->options.buffers[i].path, file) == 0)
			return true;
	return false;
}

static struct rs_error *check_file(const struct rs_parser *parser, const char *path, const char *file)
{
	if (is_unsaved(parser, file))
		return NULL;
	if (rs_file_is_directory(file))
		return rs_error_create(RS_ERROR_IO, path, 0, 0, "this is a folder, not a source file");
	if (access(file, R_OK) != 0)
		return rs_error_create(RS_ERROR_IO, path, 0, 0, "cannot read: %s", strerror(errno));
	return NULL;
}

/* language: what -x says, NULL for nothing. */
static struct rs_error *check_language(const char *path, const char *language)
{
	enum rs_language found = language ? rs_language_of_name(language) : rs_language_of_file(path);

	if (found != RS_LANGUAGE_OTHER && found != RS_LANGUAGE_CXX && found != RS_LANGUAGE_ASSEMBLY)
		return NULL;
	return rs_error_create(
		RS_ERROR_PARSE, path, 0, 0,
		"restruct lays out C, and this is another language%s%s (`-- -x c` reads it as C all "
		"the same)",
		language ? ": " : "", language ? language : "");
}

static struct way *add_way(struct search *search, struct ways *ways, const char *main_file)
{
	struct way *way = rs_array_push(search->arena, ways->items, ways->n_items, ways->items_capacity);

	way->main_file = main_file;
	rs_notes_init(&way->notes, search->arena);
	return way;
}

static struct way *add_command(struct search *search, struct ways *ways, const char *main_file,
			       const struct rs_compile_command *command)
{
	struct way *way = add_way(search, ways, main_file);

	rs_flags_filter(search->arena, command->arguments, command->n_arguments, command->directory, NULL,
			&way->notes, &way->flags);
	return way;
}

static void add_user_flags(struct search *search, struct ways *ways, const char *main_file)
{
	const struct rs_parse_options *options = &search->parser->options;
	struct way *way = add_way(search, ways, main_file);

	rs_flags_filter(search->arena, options->flags, options->n_flags, search->parser->folder, search->path,
			&way->notes, &way->flags);
}

/* -x from the user's flags; the flags of a database were looked at entry by entry. */
static const char *find_language(struct search *search)
{
	struct ways ways = { 0 };

	if (!search->parser->options.has_flags)
		return NULL;
	add_user_flags(search, &ways, search->file);
	return ways.items[0].flags.language;
}

static void add_own_commands(struct search *search, struct ways *ways, const char *main_file,
			     const struct rs_compile_db *db)
{
	const struct rs_compile_command **commands;
	size_t count;

	rs_candidates_own(search->arena, db, main_file, search->is_cxx, &commands, &count);
	for (size_t i = 0; i < count; i++) {
		struct way *way = add_command(search, ways, main_file, commands[i]);

		if (count > 1)
			rs_notes_add(&way->notes, RS_NOTE_INFO, NULL, 0, 0,
				     "%s is compiled in %zu ways: read as in entry %zu of them in %s",
				     main_file, count, i + 1, db->path);
	}
}

/* The ways to compile main_file itself, best first; at least one. */
static struct ways find_ways(struct search *search, const char *main_file, const struct rs_compile_db *db)
{
	struct ways ways = { 0 };
	const struct rs_compile_command *nearest;

	if (search->parser->options.has_flags) {
		add_user_flags(search, &ways, main_file);
		return ways;
	}
	if (db)
		add_own_commands(search, &ways, main_file, db);
	if (ways.n_items > 0)
		return ways;
	nearest = db ? rs_candidates_nearest(db, main_file, search->is_cxx) : NULL;
	if (!nearest) {
		add_way(search, &ways, main_file);
		return ways;
	}
	struct way *way = add_command(search, &ways, main_file, nearest);
	if (!search->is_header)
		rs_notes_add(&way->notes, RS_NOTE_INFO, NULL, 0, 0,
			     "%s has no entry in %s: read with the flags of %s", main_file, db->path,
			     nearest->file);
	return ways;
}

static void remember(struct search *search, enum rank rank, struct rs_error *error)
{
	if (rank <= search->rank) {
		rs_error_destroy(error);
		return;
	}
	rs_error_destroy(search->error);
	search->error = error;
	search->rank = rank;
}

static void remember_diagnostic(struct search *search, enum rank rank, const struct rs_tu *tu,
				const struct rs_diagnostic *diagnostic)
{
	bool is_alone = strcmp(tu->main_file, search->file) == 0;
	const char *shown = rs_path_below(tu->main_file, search->parser->folder);

	remember(search, rank,
		 rs_error_create(RS_ERROR_PARSE, diagnostic->path ? diagnostic->path : search->path,
				 diagnostic->line, diagnostic->column, "%s%s%s%s", diagnostic->message,
				 is_alone ? "" : " (reading it through ", is_alone ? "" : shown,
				 is_alone ? "" : ")"));
}

/* Whether the unit can be used; *ret_tu is set then. */
static bool try_way(struct search *search, const struct way *way, bool with_prelude, enum rank rank,
		    struct rs_tu **ret_tu)
{
	const struct rs_attempt attempt = { .requested_path = search->path,
					    .main_file = way->main_file,
					    .flags = &way->flags,
					    .notes = &way->notes,
					    .with_prelude = with_prelude };
	const struct rs_diagnostic *wrong;
	struct rs_tu *tu;
	struct rs_error *error = rs_attempt_parse(search->parser, &attempt, &tu);

	if (with_prelude)
		rank = RANK_PRELUDE;
	if (error) {
		remember(search, rank, error);
		return false;
	}
	if (rs_attempt_is_clean(tu, &wrong)) {
		*ret_tu = tu;
		return true;
	}
	if (wrong)
		remember_diagnostic(search, rank, tu, wrong);
	rs_tu_destroy(tu);
	return false;
}

static bool try_ways(struct search *search, const struct ways *ways, bool with_prelude, enum rank rank,
		     struct rs_tu **ret_tu)
{
	for (size_t i = 0; i < ways->n_items; i++)
		if (try_way(search, &ways->items[i], with_prelude, rank, ret_tu))
			return true;
	return false;
}

static bool has_users(const struct search *search)
{
	return search->parser->options.n_contexts > 0 || (search->db && search->db->n_commands > 0);
}

/* Alone is what the user gets at once when nothing can make a difference. */
static bool try_alone(struct search *search, bool with_prelude, struct rs_tu **ret_tu)
{
	struct ways ways = find_ways(search, search->file, search->db);
	struct rs_tu *tu;

	if (!try_ways(search, &ways, with_prelude, RANK_ALONE, &tu))
		return false;
	if (search->is_header && !with_prelude && has_users(search) && rs_conditionals_in_unit(tu)) {
		search->fallback = tu;
		return false;
	}
	*ret_tu = tu;
	return true;
}

static void note_through(struct search *search, struct rs_tu *tu)
{
	rs_notes_add(&tu->notes, RS_NOTE_INFO, search->path, 0, 0, "read through %s",
		     rs_path_below(tu->main_file, search->parser->folder));
}

static bool is_cxx(struct search *search, const char *file)
{
	const char *language = find_language(search);

	return (language ? rs_language_of_name(language) : rs_language_of_file(file)) == RS_LANGUAGE_CXX;
}

/* *ret_tu stays NULL when none of them will do. */
static struct rs_error *try_contexts(struct search *search, bool with_prelude, struct rs_tu **ret_tu)
{
	const struct rs_parse_options *options = &search->parser->options;

	for (size_t i = 0; i < options->n_contexts && !*ret_tu; i++) {
		const char *file = rs_path_canonical(search->arena, options->contexts[i]);
		const struct rs_compile_db *db;

		RS_TRY(check_file(search->parser, options->contexts[i], file));
		if (is_cxx(search, file)) /* what it makes of a header is for those who use it there */
			continue;
		RS_TRY(check_language(options->contexts[i], find_language(search)));
		RS_TRY(rs_search_database(search->parser, file, &db));
		struct ways ways = find_ways(search, file, db);
		if (try_ways(search, &ways, with_prelude, RANK_CONTEXT, ret_tu))
			note_through(search, *ret_tu);
	}
	return NULL;
}

static void try_candidates(struct search *search, struct rs_tu **ret_tu)
{
	const struct rs_compile_command **commands;
	size_t count;

	if (!search->db || *ret_tu)
		return;
	rs_candidates_including(search->arena, search->db, search->file,
				search->fallback ? MAX_BETTER : MAX_CANDIDATES, !search->is_header, &commands,
				&count);
	for (size_t i = 0; i < count && !*ret_tu; i++) {
		struct ways ways = { 0 };

		if (access(commands[i]->file, R_OK) != 0)
			continue;
		add_command(search, &ways, commands[i]->file, commands[i]);
		search->n_candidates++;
		if (try_ways(search, &ways, false, RANK_CANDIDATE, ret_tu))
			note_through(search, *ret_tu);
	}
}

static bool take_fallback(struct search *search, struct rs_tu **ret_tu)
{
	if (!search->fallback)
		return false;
	/* Whoever names a source means it to count. */
	rs_notes_add(&search->fallback->notes,
		     search->parser->options.n_contexts > 0 ? RS_NOTE_WARNING : RS_NOTE_INFO, search->path, 0,
		     0,
		     "read alone: no source includes it and parses; its #if may turn out otherwise where it is "
		     "used");
	*ret_tu = search->fallback;
	search->fallback = NULL;
	return true;
}

static bool holds(const struct rs_error *error, const char *text)
{
	return strstr(error->message, text) != NULL;
}

static const char *find_advice(const struct search *search)
{
	const struct rs_parse_options *options = &search->parser->options;
	bool misses_file = holds(search->error, "file not found");

	if (search->rank != RANK_ALONE || search->error->line == 0)
		return NULL;
	if (misses_file && !options->has_flags && !search->db)
		return "give the compiler's flags after --, or a compile database with -p DIR";
	if (!search->is_header || (misses_file && !search->db))
		return NULL;
	if (options->n_contexts > 0)
		return "the header does not stand alone, and no file given with --uses includes it";
	if (search->db)
		return rs_arena_printf(
			search->arena,
			"the header does not stand alone, and none of the %zu sources tried from %s "
			"includes it: name one with --uses FILE",
			search->n_candidates, search->db->path);
	if (!holds(search->error, "type"))
		return "the header does not stand alone: give a source that includes it with --uses FILE, or a "
		       "compile database with -p DIR";
	return "the header does not stand alone: give a source that includes it with --uses FILE, a compile "
	       "database with -p DIR, or the type's size under \"types\" in the profile";
}

static struct rs_error *give_up(struct search *search)
{
	struct rs_error *error = search->error, *advised;
	const char *advice = error ? find_advice(search) : NULL;

	search->error = NULL;
	if (!error)
		return rs_error_create(RS_ERROR_PARSE, search->path, 0, 0,
				       "no translation unit reads this file");
	if (!advice)
		return error;
	advised = rs_error_create(error->code, error->path, error->line, error->column, "%s (%s)",
				  error->message, advice);
	rs_error_destroy(error);
	return advised;
}

/* A source is searched like a header: some are made to be included by another. */
static struct rs_error *search_everywhere(struct search *search, struct rs_tu **ret_tu)
{
	if (try_alone(search, false, ret_tu))
		return NULL;
	RS_TRY(try_contexts(search, false, ret_tu));
	try_candidates(search, ret_tu);
	if (*ret_tu || take_fallback(search, ret_tu))
		return NULL;
	if (search->parser->options.prelude) {
		if (try_alone(search, true, ret_tu))
			return NULL;
		RS_TRY(try_contexts(search, true, ret_tu));
	}
	return *ret_tu ? NULL : give_up(search);
}

struct rs_error *rs_search_unit(struct rs_parser *parser, const char *file, struct rs_tu **ret_tu)
{
	RS_CLEANUP(deinit)
	struct search search = { .parser = parser, .arena = rs_arena_create(), .path = file };
	struct rs_tu *tu = NULL;

	search.file = rs_path_canonical(search.arena, file);
	search.is_header = rs_language_of_file(search.file) == RS_LANGUAGE_C_HEADER;
	RS_TRY(check_file(parser, file, search.file));
	RS_TRY(check_language(file, find_language(&search)));
	RS_TRY(rs_search_database(parser, search.file, &search.db));
	RS_TRY(search_everywhere(&search, &tu));
	*ret_tu = tu;
	return NULL;
}

struct rs_error *rs_search_use(struct rs_parser *parser, const char *file, struct rs_tu **ret_tu)
{
	RS_CLEANUP(deinit)
	struct search search = { .parser = parser, .arena = rs_arena_create(), .path = file };

	search.file = rs_path_canonical(search.arena, file);
	search.is_cxx = is_cxx(&search, search.file);
	if (!search.is_cxx)
		return rs_search_unit(parser, file, ret_tu);
	RS_TRY(check_file(parser, file, search.file));
	RS_TRY(rs_search_database(parser, search.file, &search.db));
	struct ways ways = find_ways(&search, search.file, search.db);
	return try_ways(&search, &ways, false, RANK_ALONE, ret_tu) ? NULL : give_up(&search);
}
