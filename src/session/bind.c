#include "session/session_internal.h"

#include <string.h>

#include "profile/bind.h"

enum { MOST_TRIED_SOURCES = 8 };

static struct rs_error *find_in(struct rs_session *session, struct rs_tu *tu, const char *name,
				const struct rs_record **ret_record)
{
	const struct rs_record_query query = { .name = name };
	const struct rs_record **found;
	size_t count;

	RS_TRY(rs_session_wake(session, tu));
	RS_TRY(rs_records_find(tu, session->arena, &query, &found, &count));
	if (count > 0)
		*ret_record = found[0];
	return NULL;
}

static struct rs_error *find_in_open(struct rs_session *session, const char *name,
				     const struct rs_record **ret_record)
{
	for (size_t i = 0; i < session->n_tus && !*ret_record; i++)
		if (!session->tus[i].configuration)
			RS_TRY(find_in(session, session->tus[i].tu, name, ret_record));
	return NULL;
}

/* One that does not parse has no container to show. */
static struct rs_error *find_in_sources(struct rs_session *session, const char *const *sources,
					size_t n_sources, const char *name, const struct rs_record **ret_record)
{
	for (size_t i = 0; i < n_sources && !*ret_record; i++) {
		struct rs_tu *tu = NULL;
		struct rs_error *error = rs_session_open(session, sources[i], &tu);

		if (!error)
			error = find_in(session, tu, name, ret_record);
		if (error && error->code != RS_ERROR_PARSE)
			return error;
		rs_error_destroy(error);
		if (tu && !*ret_record)
			rs_session_drop_last(session, tu);
	}
	return NULL;
}

static struct rs_error *search_elsewhere(struct rs_session *session, const char *name,
					 const struct rs_record **ret_record)
{
	const struct rs_parse_options *parse = &session->options.parse;
	const char *const *sources;
	size_t count;

	RS_TRY(find_in_open(session, name, ret_record));
	if (!*ret_record)
		RS_TRY(find_in_sources(session, parse->contexts, parse->n_contexts, name, ret_record));
	if (*ret_record)
		return NULL;
	RS_TRY(rs_session_sources_that_spell(session, name, &sources, &count));
	return find_in_sources(session, sources, count < MOST_TRIED_SOURCES ? count : MOST_TRIED_SOURCES, name,
			       ret_record);
}

/* The container as the record's unit shows it, or any other: a header is often read without what embeds its
 * struct. */
struct rs_error *rs_session_find_container(struct rs_session *session, struct rs_tu *tu, const char *name,
					   const struct rs_record **ret_record)
{
	struct rs_session_container *known;

	*ret_record = NULL;
	RS_TRY(find_in(session, tu, name, ret_record));
	if (*ret_record)
		return NULL;
	for (size_t i = 0; i < session->n_containers; i++)
		if (strcmp(session->containers[i].name, name) == 0) {
			*ret_record = session->containers[i].record;
			return NULL;
		}
	RS_TRY(search_elsewhere(session, name, ret_record));
	known = rs_array_push(session->arena, session->containers, session->n_containers,
			      session->containers_capacity);
	*known = (struct rs_session_container) { name, *ret_record };
	return NULL;
}

/* Where the record begins in a line: the container's own offset there plus the member's in the container. */
static struct rs_error *look_up(struct rs_session *session, struct rs_tu *tu, struct rs_notes *notes,
				struct rs_placement_base *base)
{
	if (!base->container || !base->member)
		return NULL;
	RS_TRY(rs_session_find_container(session, tu, base->container, &base->record));
	if (!base->record) {
		rs_notes_add(
			notes, RS_NOTE_WARNING, NULL, 0, 0,
			"struct '%s' is not defined in what is read here: the offset of its member '%s' is "
			"taken as 0, and its other fields are left out (name a source that includes it with "
			"--uses, or give its place as base)",
			base->container, base->member);
		return NULL;
	}
	base->at = rs_record_find_member(base->record, base->member);
	if (base->at == RS_NONE)
		return rs_error_create(RS_ERROR_NOT_FOUND, base->record->source->path, 0, 0,
				       "struct '%s' has no member '%s', as the profile's placement says",
				       base->container, base->member);
	base->base_bytes += base->record->members[base->at].offset_bits / 8;
	return NULL;
}

static struct rs_error *place_in_containers(struct rs_session *session, struct rs_tu *tu,
					    struct rs_notes *notes, struct rs_placement *placement)
{
	struct rs_placement_base *bases =
		rs_arena_array(session->arena, struct rs_placement_base, placement->n_bases);

	for (size_t i = 0; i < placement->n_bases; i++) {
		bases[i] = placement->bases[i];
		RS_TRY(look_up(session, tu, notes, &bases[i]));
	}
	placement->bases = bases;
	return NULL;
}

struct rs_error *rs_session_bind(struct rs_session *session, const struct rs_record *record, struct rs_tu *tu,
				 struct rs_notes *notes, const struct rs_binding **ret_binding)
{
	const struct rs_profile_struct *type =
		session->has_profile ? rs_profile_find(&session->profile, record->name) : NULL;
	struct rs_placement placement;
	struct rs_binding *binding;

	*ret_binding = NULL;
	if (!type)
		return NULL;
	placement = type->placement;
	placement.lifting = session->lifting;
	binding = rs_arena_new(session->arena, struct rs_binding);
	RS_TRY(place_in_containers(session, tu, notes, &placement));
	RS_TRY(rs_bind(session->arena, &session->profile, type, record, &placement, notes, binding));
	binding->as_it_stands = session->as_it_stands;
	*ret_binding = binding;
	return NULL;
}
