#include "session/session_internal.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "text/patch.h"

static struct rs_error *read_profile(struct rs_session *session)
{
	const struct rs_session_options *options = &session->options;

	rs_machine_init(&session->profile.machine);
	if (options->n_profiles > 0) {
		RS_TRY(rs_profile_read(session->arena, options->profiles, options->n_profiles,
				       &session->profile));
		session->has_profile = true;
	}
	if (options->line_bytes > 0)
		session->profile.machine.line_bytes = options->line_bytes;
	return NULL;
}

static struct rs_error *create_parser(struct rs_session *session)
{
	struct rs_parse_options parse = session->options.parse;

	parse.prelude = session->has_profile ? rs_profile_prelude(session->arena, &session->profile) : NULL;
	return rs_parser_create(&parse, &session->notes, &session->parser);
}

static struct rs_error *tu_of_file(struct rs_session *session, const char *file, struct rs_tu **ret_tu)
{
	const char *canonical = rs_path_canonical(session->arena, file);

	for (size_t i = 0; i < session->n_tus; i++)
		if (strcmp(session->tus[i].file, canonical) == 0) {
			*ret_tu = session->tus[i].tu;
			return NULL;
		}
	RS_TRY(rs_tu_open(session->parser, file, ret_tu));
	*rs_array_push(session->arena, session->tus, session->n_tus, session->tus_capacity) =
		(struct rs_session_tu) { .file = canonical, .tu = *ret_tu };
	return NULL;
}

static struct rs_error *not_found(struct rs_session *session, struct rs_tu *tu, const struct rs_target *target)
{
	const char *const *names;
	size_t count;

	RS_TRY(rs_records_names(tu, session->arena, target->anywhere ? NULL : target->file, &names, &count));
	const char *nearest = rs_nearest_name(target->name, names, count);
	return rs_error_create(RS_ERROR_NOT_FOUND, target->file, 0, 0, "no struct '%s' is defined here%s%s%s",
			       target->name, nearest ? " (did you mean '" : "", nearest ? nearest : "",
			       nearest ? "'?)" : "");
}

static struct rs_error *ambiguous(const struct rs_record *a, const struct rs_record *b)
{
	struct rs_position first = rs_source_position(a->source, a->span.start);
	struct rs_position second = rs_source_position(b->source, b->span.start);

	return rs_error_create(RS_ERROR_AMBIGUOUS, b->source->path, second.line, second.column,
			       "struct '%s' is defined here and at %s:%u: name the file too (FILE:NAME)",
			       b->name, a->source->path, first.line);
}

static struct rs_error *find_records(struct rs_session *session, const struct rs_target *target)
{
	struct rs_tu *tu = NULL;
	const struct rs_record **found;
	size_t count;

	RS_TRY(tu_of_file(session, target->file, &tu));
	struct rs_record_query query = { .file = target->anywhere ? NULL : target->file, .name = target->name };
	RS_TRY(rs_records_find(tu, session->arena, &query, &found, &count));
	if (count == 0 && target->name)
		return not_found(session, tu, target);
	if (count > 1 && target->name)
		return ambiguous(found[0], found[1]);
	if (count == 0)
		rs_notes_add(&session->notes, RS_NOTE_WARNING, target->file, 0, 0, "no struct is defined here");
	for (size_t i = 0; i < count; i++)
		*rs_array_push(session->arena, session->records, session->n_records,
			       session->records_capacity) =
			(struct rs_session_record) { .record = found[i], .target = target, .tu = tu };
	return NULL;
}

/* Where paths in diffs start, and below which edits stay. */
static const char *find_root(struct rs_session *session)
{
	struct rs_arena *arena = session->arena;
	const char *requested = session->options.root;

	if (requested)
		return rs_path_canonical(arena, requested);
	const char *here = rs_path_canonical(arena, ".");
	if (session->n_records == 0)
		return here;
	const char *file = session->records[0].record->source->realpath;
	const char *top = rs_git_top_level(arena, file);
	if (top)
		return rs_path_canonical(arena, top);
	return rs_path_below(file, here) != file ? here : rs_path_directory(arena, file);
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

struct rs_error *rs_session_load(struct rs_session *session)
{
	if (session->is_loaded)
		return NULL;
	RS_TRY(read_profile(session));
	RS_TRY(create_parser(session));
	for (size_t i = 0; i < session->n_targets; i++)
		RS_TRY(find_records(session, &session->targets[i]));
	for (size_t i = 0; i < session->n_records; i++)
		RS_TRY(check_hash(&session->records[i]));
	RS_TRY(check_profile_is_used(session));
	session->root = find_root(session);
	session->is_loaded = true;
	return NULL;
}
