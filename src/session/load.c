#include "session/session_internal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "rewrite/split.h"
#include "session/allow.h"
#include "session/lift_words.h"
#include "text/patch.h"

static struct rs_error *read_profile(struct rs_session *session)
{
	const struct rs_session_options *options = &session->options;
	unsigned line = options->line_bytes;

	if (session->is_variant)
		return NULL;
	if (line && (line < 16 || line > 1024 || (line & (line - 1))))
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "a cache line of %u bytes: it takes a power of two from 16 to 1024",
				       line);
	rs_machine_init(&session->profile.machine);
	if (options->n_profiles > 0) {
		RS_TRY(rs_profile_read(session->arena, options->profiles, options->n_profiles,
				       &session->profile));
		session->has_profile = true;
	}
	if (line > 0)
		session->profile.machine.line_bytes = line;
	return NULL;
}

static bool is_buffer(const struct rs_session *session, const char *path)
{
	const struct rs_parse_options *parse = &session->options.parse;
	const char *canonical = rs_path_canonical(session->arena, path);

	for (size_t i = 0; i < parse->n_buffers; i++)
		if (strcmp(rs_path_canonical(session->arena, parse->buffers[i].path), canonical) == 0)
			return true;
	return false;
}

/* A pipe can be read once only, and the compiler would wait for it. */
static struct rs_error *check_readable(const struct rs_session *session, const char *file)
{
	struct stat status;

	if (is_buffer(session, file))
		return NULL;
	if (stat(file, &status) != 0)
		return rs_error_create(RS_ERROR_IO, file, 0, 0, "cannot read: %s", strerror(errno));
	if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
		return rs_error_create(
			RS_ERROR_IO, file, 0, 0,
			"cannot read: not a regular file (text on stdin comes with --stdin-filename)");
	return NULL;
}

static struct rs_error *create_parser(struct rs_session *session)
{
	struct rs_parse_options parse = session->options.parse;

	parse.with_bodies = session->with_bodies;
	for (size_t i = 0; i < parse.n_contexts; i++)
		RS_TRY(check_readable(session, parse.contexts[i]));
	parse.prelude = session->has_profile ? rs_profile_prelude(session->arena, &session->profile) : NULL;
	return rs_parser_create(&parse, &session->notes, &session->parser);
}

struct rs_error *rs_session_open(struct rs_session *session, const char *file, struct rs_tu **ret_tu)
{
	const char *canonical = rs_path_canonical(session->arena, file);

	RS_TRY(check_readable(session, file));
	for (size_t i = 0; i < session->n_tus; i++)
		if (!session->tus[i].configuration && strcmp(session->tus[i].file, canonical) == 0) {
			*ret_tu = session->tus[i].tu;
			return rs_session_wake(session, *ret_tu);
		}
	RS_TRY(rs_tu_open(session->parser, file, ret_tu));
	rs_session_remember(session, canonical, NULL, *ret_tu);
	return NULL;
}

/* Units are large: one that shows no record of the target is not kept, unless another target is read in it. */
void rs_session_drop_last(struct rs_session *session, struct rs_tu *tu)
{
	for (size_t i = 0; i < session->n_records; i++)
		if (session->records[i].tu == tu)
			return;
	if (session->tus[session->n_tus - 1].tu != tu)
		return;
	rs_session_forget(session, tu);
	rs_tu_destroy(tu);
	session->n_tus--;
}

static struct rs_error *not_found(struct rs_session *session, struct rs_tu *tu, const struct rs_target *target)
{
	const char *const *names = NULL;
	size_t count = 0;

	if (tu)
		RS_TRY(rs_records_names(tu, session->arena, target->file, &names, &count));
	const char *nearest = rs_nearest_name(target->name, names, count);
	return rs_error_create(RS_ERROR_NOT_FOUND, target->file, 0, 0, "no struct '%s' is defined %s%s%s%s",
			       target->name, target->file ? "here" : "in these sources or what they include",
			       nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "");
}

static struct rs_error *ambiguous(const struct rs_record *a, const struct rs_record *b)
{
	struct rs_position first = rs_source_position(a->source, a->span.start);
	struct rs_position second = rs_source_position(b->source, b->span.start);

	return rs_error_create(RS_ERROR_AMBIGUOUS, b->source->path, second.line, second.column,
			       "struct '%s' is defined here and at %s:%u: name the file too (FILE:NAME)",
			       b->name, a->source->path, first.line);
}

static bool is_same_record(const struct rs_record *a, const struct rs_record *b)
{
	return a->span.start == b->span.start && strcmp(a->source->realpath, b->source->realpath) == 0;
}

static bool is_same_plan(const struct rs_target_plan *a, const struct rs_target_plan *b)
{
	if (!a || !b || a->n_fields != b->n_fields)
		return !a && !b;
	for (size_t i = 0; i < a->n_fields; i++)
		if (strcmp(a->fields[i].name, b->fields[i].name) != 0 ||
		    a->fields[i].offset_bits != b->fields[i].offset_bits)
			return false;
	return true;
}

/* A record that is named twice is one record. */
static struct rs_error *add_record(struct rs_session *session, struct rs_tu *tu, const struct rs_target *target,
				   const struct rs_record *record)
{
	for (size_t i = 0; i < session->n_records; i++) {
		if (!is_same_record(session->records[i].record, record))
			continue;
		/* Orders by hand are the same for all targets; a plan belongs to one. */
		if (is_same_plan(session->records[i].target->plan, target->plan))
			return NULL;
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "struct '%s' is asked for twice, with different orders", record->name);
	}
	*rs_array_push(session->arena, session->records, session->n_records,
		       session->records_capacity) = (struct rs_session_record) {
		.record = record, .target = target, .tu = tu, .fingerprint = rs_records_fingerprint(tu, record)
	};
	return NULL;
}

/* The target's records as one translation unit shows them; none is no error. */
static struct rs_error *find_in_tu(struct rs_session *session, struct rs_tu *tu, const struct rs_target *target,
				   size_t *ret_count)
{
	const struct rs_record_query query = { .file = target->file, .name = target->name };
	const struct rs_record **found;

	RS_TRY(rs_records_find(tu, session->arena, &query, &found, ret_count));
	if (*ret_count > 1 && target->name)
		return ambiguous(found[0], found[1]);
	for (size_t i = 0; i < *ret_count; i++)
		RS_TRY(add_record(session, tu, target, found[i]));
	return NULL;
}

static struct rs_error *find_in_file(struct rs_session *session, const struct rs_target *target)
{
	struct rs_tu *tu = NULL;
	size_t count;

	RS_TRY(rs_session_open(session, target->file, &tu));
	RS_TRY(find_in_tu(session, tu, target, &count));
	if (count == 0 && target->name)
		return not_found(session, tu, target);
	if (count == 0)
		rs_notes_add(&session->notes, RS_NOTE_WARNING, target->file, 0, 0, "no struct is defined here");
	return NULL;
}

bool rs_session_spells(const char *path, const char *const *words, size_t n_words, bool if_unreadable)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct rs_error *error;
	bool found = false;
	size_t size;
	char *text;

	error = rs_file_read(scratch, path, &text, &size);
	for (size_t i = 0; !error && i < n_words && !found; i++)
		found = memmem(text, size, words[i], strlen(words[i])) != NULL;
	found = error ? if_unreadable : found;
	rs_error_destroy(error);
	return found;
}

/* Puts those that have the name in front; gives their number. */
static size_t sort_by_spelling(const struct rs_compile_db *database, const char *name, const char **ret_sources,
			       size_t *ret_count)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	const char **rest = rs_arena_array(scratch, const char *, database->n_commands);
	size_t front = 0, back = 0;

	for (size_t i = 0; i < database->n_commands; i++) {
		const char *file = database->commands[i].file;

		if (!database->commands[i].is_c)
			continue;
		if (rs_session_spells(file, &name, 1, false))
			ret_sources[front++] = file;
		else
			rest[back++] = file;
	}
	if (back)
		memcpy(ret_sources + front, rest, back * sizeof *rest);
	*ret_count = front + back;
	return front;
}

/* NULL in *ret_path: there is no database. */
static struct rs_error *read_database(struct rs_session *session, const char **ret_path,
				      struct rs_compile_db *ret_database)
{
	const char *path = session->options.parse.build_directory;

	if (!path)
		path = rs_compile_db_locate(session->arena, rs_path_absolute(session->arena, NULL, "x"));
	*ret_path = path;
	return path ? rs_compile_db_read(session->arena, path, ret_database) : NULL;
}

/* The sources of the compile database, those that spell the name first. */
static struct rs_error *database_sources(struct rs_session *session, const struct rs_target *target,
					 const char ***ret_sources, size_t *ret_count)
{
	struct rs_compile_db database;
	const char *path;

	RS_TRY(read_database(session, &path, &database));
	if (!path)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "no file was named and there is no compile_commands.json here or above");
	*ret_sources = rs_arena_array(session->arena, const char *, database.n_commands);
	sort_by_spelling(&database, target->name, *ret_sources, ret_count);
	return NULL;
}

struct rs_error *rs_session_sources_that_spell(struct rs_session *session, const char *name,
					       const char *const **ret_sources, size_t *ret_count)
{
	struct rs_compile_db database;
	const char *path, **sources;
	size_t n_all;

	*ret_sources = NULL;
	*ret_count = 0;
	if (session->options.parse.has_flags)
		return NULL;
	RS_TRY(read_database(session, &path, &database));
	if (!path)
		return NULL;
	sources = rs_arena_array(session->arena, const char *, database.n_commands);
	*ret_count = sort_by_spelling(&database, name, sources, &n_all);
	*ret_sources = sources;
	return NULL;
}

/* The first source that sees a definition decides; one that does not parse is passed over when a later one
 * does. */
static struct rs_error *find_in_sources(struct rs_session *session, const struct rs_target *target)
{
	RS_CLEANUP(rs_error_destroyp) struct rs_error *first_error = NULL;
	const char *const *sources = target->sources;
	const char **listed;
	size_t n_sources = target->n_sources, count = 0;
	struct rs_tu *tu = NULL;

	if (n_sources == 0) {
		RS_TRY(database_sources(session, target, &listed, &n_sources));
		sources = listed;
	}
	for (size_t i = 0; i < n_sources; i++) {
		struct rs_error *error = rs_session_open(session, sources[i], &tu);

		if (error && first_error)
			rs_error_destroy(error);
		else if (error)
			first_error = error;
		if (error)
			continue;
		RS_TRY(find_in_tu(session, tu, target, &count));
		if (count > 0)
			return NULL;
		if (i + 1 < n_sources)
			rs_session_drop_last(session, tu);
	}
	struct rs_error *error = first_error ? first_error : not_found(session, tu, target);
	first_error = NULL;
	return error;
}

static void note_unreadable(struct rs_session *session, struct rs_error *error)
{
	rs_notes_add(&session->notes, RS_NOTE_WARNING, error->path, error->line, error->column,
		     "cannot be read, so its structs are not looked at: %s", error->message);
	rs_error_destroy(error);
}

static struct rs_error *find_records(struct rs_session *session, const struct rs_target *target)
{
	struct rs_error *error =
		target->file ? find_in_file(session, target) : find_in_sources(session, target);

	if (error && target->may_fail) {
		*rs_array_push(session->arena, session->failures, session->n_failures,
			       session->failures_capacity) = (struct rs_session_failure) {
			.file = target->file,
			.path = error->path ? rs_arena_strdup(session->arena, error->path) : NULL,
			.line = error->line,
			.message = rs_arena_strdup(session->arena, error->message),
		};
		note_unreadable(session, error);
		return NULL;
	}
	if (!error || !target->may_be_missing ||
	    (error->code != RS_ERROR_NOT_FOUND && error->code != RS_ERROR_IO))
		return error;
	rs_error_destroy(error);
	return NULL;
}

const char *rs_session_project_of(struct rs_arena *arena, const char *path)
{
	const char *here = rs_path_canonical(arena, "."), *file = rs_path_canonical(arena, path);
	/* Of the folder that was named: a link in it may lead out of the project. */
	const char *top = rs_git_top_level(arena, rs_path_directory(arena, path));

	if (top)
		return rs_path_canonical(arena, top);
	return rs_path_below(file, here) != file ? here : rs_path_directory(arena, file);
}

/* What the user named: the record's file, or the source in which it is seen. What a source includes from
 * elsewhere does not make elsewhere the project. */
static const char *named_file(const struct rs_session *session)
{
	const struct rs_session_record *first = &session->records[0];

	if (first->target->file)
		return first->record->source->path;
	return first->target->n_sources > 0 ? first->target->sources[0] : "./.";
}

/* Where paths in diffs start, and below which edits stay. */
static const char *find_root(struct rs_session *session)
{
	if (session->options.root)
		return rs_path_canonical(session->arena, session->options.root);
	if (session->n_records == 0)
		return rs_path_canonical(session->arena, ".");
	return rs_session_project_of(session->arena, named_file(session));
}

/* A configuration file may itself say that the root is below its folder. */
static const char *find_config_root(struct rs_session *session)
{
	const char *project = session->n_records > 0
				      ? rs_session_project_of(session->arena, named_file(session))
				      : session->root;

	return rs_path_below(session->root, project) != session->root ? project : session->root;
}

/* A profile that was given but speaks of none of the records asked for is most likely a wrong name. */
static struct rs_error *check_profile_is_used(const struct rs_session *session)
{
	if (!session->has_profile || session->n_records == 0)
		return NULL;
	const char **names = rs_arena_array(session->arena, const char *, session->profile.n_structs + 1);
	for (size_t i = 0; i < session->profile.n_structs; i++)
		names[i] = session->profile.structs[i].name;
	for (size_t i = 0; i < session->n_records; i++)
		if (rs_profile_find(&session->profile, session->records[i].record->name))
			return NULL;
	if (session->profile.n_structs == 0)
		return NULL;
	const char *asked = session->records[0].record->name;
	const char *nearest = rs_nearest_name(asked, names, session->profile.n_structs);
	return rs_error_create(RS_ERROR_NOT_FOUND, session->options.profiles[0], 0, 0,
			       "the profile says nothing about struct '%s'%s%s%s", asked,
			       nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "");
}

static struct rs_error *check_hash(const struct rs_session_record *from)
{
	const struct rs_source *source = from->record->source;

	if (!from->target->has_expected_hash || from->target->expected_hash == source->hash)
		return NULL;
	return rs_error_create(RS_ERROR_CHANGED, source->path, 0, 0,
			       "the file is no longer the one that the plan was made for");
}

static const struct rs_source *find_edited(struct rs_session *session, const struct rs_session_record *from,
					   const char *path)
{
	const struct rs_initializer_list *initializers = from->initializers;
	const char *canonical = rs_path_canonical(session->arena, path);

	for (size_t i = 0; i < initializers->n_items; i++)
		if (strcmp(initializers->items[i].source->realpath, canonical) == 0)
			return initializers->items[i].source;
	return NULL;
}

/* A file that names members which the plan lifts. */
static struct rs_error *read_lifted(struct rs_session *session, const char *path,
				    const struct rs_source **ret_source)
{
	size_t size;
	char *text;

	RS_TRY(rs_file_read(session->arena, path, &text, &size));
	*ret_source =
		rs_source_create(session->arena, path, rs_path_canonical(session->arena, path), text, size);
	return NULL;
}

/* A plan that changes initialisers is carried out with them or not at all. */
static struct rs_error *check_others(struct rs_session *session, const struct rs_session_record *from)
{
	for (size_t i = 0; i < from->target->n_others; i++) {
		const struct rs_target_file *other = &from->target->others[i];
		const struct rs_source *source = find_edited(session, from, other->path);

		if (!source && from->target->plan && rs_lift_words_ask(from->target->plan->steps))
			RS_TRY(read_lifted(session, other->path, &source));

		if (!source)
			return rs_error_create(RS_ERROR_CHANGED, other->path, 0, 0,
					       "the plan changes initialisers in this file, where none are "
					       "found now (is it named with --uses?)");
		if (source->hash != other->hash)
			return rs_error_create(RS_ERROR_CHANGED, other->path, 0, 0,
					       "the file is no longer the one that the plan was made for");
	}
	return NULL;
}

/* Before anything is found out about the units, since what holds for two declarators of one declaration matters
 * once they may come apart. */
static void divide(struct rs_session *session, struct rs_session_record *from)
{
	const struct rs_profile_struct *type =
		session->has_profile ? rs_profile_find(&session->profile, from->record->name) : NULL;
	bool splits = session->options.splits || (type && (type->allow & RS_ALLOW_SPLIT));

	if (from->target->plan)
		splits = from->target->plan->splits;
	if (splits && !rs_record_is_refused(from->record))
		from->record = rs_split_divide(session->arena, from->record);
}

/* Plans need the bodies of functions, which a look at the layout does without. */
static void unload(struct rs_session *session)
{
	for (size_t i = 0; i < session->n_tus; i++)
		rs_tu_destroy(session->tus[i].tu);
	rs_parser_destroy(session->parser);
	session->parser = NULL;
	session->n_tus = session->n_records = session->n_sources = session->n_texts = 0;
	session->n_awake = session->n_unread = session->n_failures = 0;
	session->is_loaded = false;
}

/* One file of several that does not parse must not cost the others their plans, but neither is all well then. A
 * plan that was made before, and what a gate asks for, is wanted whole. */
static bool can_spare(const struct rs_session *session, enum rs_session_goal goal,
		      const struct rs_target *target, const struct rs_error *error)
{
	return error->code == RS_ERROR_PARSE && target->file && !target->plan && session->n_targets > 1 &&
	       goal != RS_GOAL_CHECK;
}

/* At least one of the files must parse. */
static struct rs_error *find_all_records(struct rs_session *session, enum rs_session_goal goal)
{
	for (size_t i = 0; i < session->n_targets; i++) {
		const struct rs_target *target = &session->targets[i];
		struct rs_error *error = find_records(session, target);

		if (error && (!can_spare(session, goal, target, error) ||
			      (i + 1 == session->n_targets && session->n_unread == i)))
			return error;
		if (!error)
			continue;
		note_unreadable(session, error);
		session->n_unread++;
	}
	return NULL;
}

struct rs_error *rs_session_load(struct rs_session *session, enum rs_session_goal goal)
{
	bool with_bodies = goal != RS_GOAL_ANNOTATE && goal != RS_GOAL_CHECK;

	if (session->is_loaded && (session->with_bodies || !with_bodies))
		return NULL;
	unload(session);
	session->with_bodies = with_bodies;
	const char *root = session->options.root;

	if (root && !rs_file_is_directory(root))
		return rs_error_create(RS_ERROR_IO, root, 0, 0, "the project root is no folder (--root)");
	RS_TRY(read_profile(session));
	RS_TRY(create_parser(session));
	RS_TRY(find_all_records(session, goal));
	for (size_t i = 0; i < session->n_records; i++)
		RS_TRY(check_hash(&session->records[i]));
	session->root = find_root(session);
	session->config_root = find_config_root(session);
	if (goal == RS_GOAL_SITES)
		return NULL; /* not loaded for any other goal */
	RS_TRY(check_profile_is_used(session));
	for (size_t i = 0; with_bodies && i < session->n_records; i++)
		divide(session, &session->records[i]);
	RS_TRY(rs_session_vary_units(session));
	RS_TRY(rs_session_find_uses(session));
	rs_allow_check_names(session);
	for (size_t i = 0; with_bodies && i < session->n_records; i++)
		RS_TRY(check_others(session, &session->records[i]));
	session->is_loaded = true;
	return NULL;
}
