#include <string.h>

#include "profile/around.h"
#include "profile/names.h"
#include "session/import.h"
#include "session/session_internal.h"

struct check {
	struct rs_session *session;
	const struct rs_profile_struct *type;
	const struct rs_record *record;
	struct rs_tu *tu; /* that shows it */
	struct rs_finding_list *findings;
	bool *is_named; /* by the profile, one a member; of an aggregate: it or something inside it */
};

static void mark(struct check *check, size_t member)
{
	const struct rs_member *members = check->record->members;

	for (size_t i = member; i <= member + members[member].n_inside; i++)
		check->is_named[i] = true;
	for (size_t at = members[member].parent; at != RS_NONE; at = members[at].parent)
		check->is_named[at] = true;
}

/* The next member behind this one (RS_NONE: the first) that is no aggregate of others; RS_NONE: there is none.
 */
static size_t next_leaf(const struct rs_record *record, size_t member)
{
	for (size_t m = member == RS_NONE ? 0 : member + 1; m < record->n_members; m++)
		if (record->members[m].path[0] &&
		    !(record->members[m].is_aggregate && record->members[m].n_inside > 0))
			return m;
	return RS_NONE;
}

/* Complete profiles have the fields in the order of the struct: where one is gone, and the struct has one that
 * the profile does not name between the same neighbours, it was renamed. NULL: no. */
static const char *find_renamed(const struct check *check, size_t field)
{
	const struct rs_profile_struct *type = check->type;
	const struct rs_record *record = check->record;
	size_t before = RS_NONE, after = RS_NONE;

	if (field > 0)
		before = rs_record_find_member(record, type->fields[field - 1].name);
	if (field + 1 < type->n_fields)
		after = rs_record_find_member(record, type->fields[field + 1].name);
	if (!type->is_complete || (field > 0 && before == RS_NONE) ||
	    (field + 1 < type->n_fields && after == RS_NONE))
		return NULL;
	size_t found = next_leaf(record, before);
	if (found == RS_NONE || check->is_named[found] || next_leaf(record, found) != after)
		return NULL;
	return record->members[found].path;
}

/* A field of a container, "rtable.rt_genid": of one that is not read here nothing is said. */
static struct rs_error *check_outside(struct check *check, const struct rs_placement_base *base,
				      const char *name, struct rs_name_place place)
{
	const struct rs_record *container;
	size_t member;

	RS_TRY(rs_session_find_container(check->session, check->tu, base->container, &container));
	if (!container)
		return NULL;
	return rs_names_find(check->session->arena, container, name + strlen(base->container) + 1, place,
			     &member);
}

static void check_name(struct check *check, const char *name, const char *file, unsigned line, unsigned column)
{
	struct rs_session *session = check->session;
	const struct rs_placement *placement = &check->type->placement;
	struct rs_name_place place = { file, line, column };
	size_t member = RS_NONE, outside;
	struct rs_around_list around;
	struct rs_error *error;

	rs_around_init(&around, session->arena, check->record, placement);
	outside = rs_around_find(&around, name);
	error = outside == RS_NONE ? rs_names_find(session->arena, check->record, name, place, &member)
				   : check_outside(check, &placement->bases[outside], name, place);
	if (!error) {
		if (member != RS_NONE)
			mark(check, member);
		return;
	}
	rs_finding_add_at(check->findings, "profile-gone", RS_FINDING_ERROR, file, line, check->record->name,
			  name, "%s", error->message)
		->column = column;
	rs_error_destroy(error);
}

static void check_field(struct check *check, size_t index)
{
	const struct rs_profile_field *field = &check->type->fields[index];
	const char *renamed = rs_record_find_member(check->record, field->name) == RS_NONE
				      ? find_renamed(check, index)
				      : NULL;

	if (!renamed) {
		check_name(check, field->name, field->file, field->line, field->column);
		return;
	}
	rs_finding_add_at(
		check->findings, "profile-renamed", RS_FINDING_ERROR, field->file, field->line,
		check->record->name, field->name,
		"struct '%s' has no field '%s'; '%s', which the profile does not have, stands in its place",
		check->record->name, field->name, renamed)
		->column = field->column;
	mark(check, rs_record_find_member(check->record, renamed));
}

static void check_names(struct check *check, const struct rs_profile_names *names)
{
	for (size_t i = 0; i < names->n_names; i++)
		check_name(check, names->names[i], names->file, names->line, names->column);
}

static void check_paths(struct check *check)
{
	const struct rs_profile_struct *type = check->type;

	for (size_t p = 0; p < type->n_paths; p++) {
		const struct rs_profile_path *path = &type->paths[p];

		for (size_t i = 0; i < path->n_accesses; i++)
			check_name(check, path->accesses[i].field, path->file, path->accesses[i].line,
				   path->accesses[i].column);
		check_names(check, &path->contended);
	}
}

static void check_lists(struct check *check)
{
	const struct rs_profile_struct *type = check->type;

	check_names(check, &type->hoist);
	check_names(check, &type->first);
	for (size_t i = 0; i < type->n_together; i++)
		check_names(check, &type->together[i]);
	for (size_t i = 0; i < type->n_before; i++)
		check_names(check, &type->before[i]);
	for (size_t i = 0; i < type->n_groups; i++)
		check_names(check, &type->groups[i].fields);
	for (size_t i = 0; i < type->n_offsets; i++)
		check_name(check, type->offsets[i].field, type->offsets[i].file, type->offsets[i].line,
			   type->offsets[i].column);
}

/* A profile that names what is hot leaves members out on purpose; one that calls itself complete does not. */
static void check_new(struct check *check)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder list = { 0 };
	const struct rs_record *record = check->record;
	const struct rs_profile_struct *type = check->type;
	size_t count = 0;

	for (size_t m = 0; m < record->n_members; m++) {
		const struct rs_member *member = &record->members[m];

		if (check->is_named[m] || member->path[0] == '\0' ||
		    (member->is_aggregate && member->n_inside > 0))
			continue;
		rs_builder_printf(&list, "%s%s", count++ ? ", " : "", member->path);
		if (type->is_complete)
			rs_finding_add(check->findings, "profile-new", RS_FINDING_WARNING, record, m, NULL,
				       "'%s' of %s is not in the profile", member->path, record->name);
	}
	if (count > 0 && !type->is_complete)
		rs_finding_add_at(check->findings, "profile-unnamed", RS_FINDING_NOTE, type->path, type->line,
				  record->name, NULL, "%zu members of %s are not named, cold or new: %s", count,
				  record->name, list.data);
}

static void check_record(struct rs_session *session, const struct rs_profile_struct *type,
			 const struct rs_record *record, struct rs_tu *tu, struct rs_finding_list *findings)
{
	struct check check = { session, type,     record,
			       tu,      findings, rs_arena_array(session->arena, bool, record->n_members) };

	for (size_t i = 0; i < type->n_fields; i++) {
		size_t member = rs_record_find_member(record, type->fields[i].name);

		if (member != RS_NONE)
			mark(&check, member);
	}
	for (size_t i = 0; i < type->n_fields; i++)
		check_field(&check, i);
	check_paths(&check);
	check_lists(&check);
	check_new(&check);
}

static struct rs_error *nothing_compared(const struct rs_session *session)
{
	const char *name = session->n_records ? session->records[0].record->name : NULL;

	return rs_error_create(RS_ERROR_NOT_FOUND, session->options.profiles[0], 0, 0,
			       "the profile says nothing about %s%s%s", name ? "struct '" : "what is read here",
			       name ? name : "", name ? "'" : "");
}

struct rs_error *rs_session_check_profile(struct rs_session *session, const struct rs_result **ret_result)
{
	struct rs_finding_list findings = { .arena = session->arena };
	size_t n_compared = 0;

	RS_TRY(rs_session_load(session, RS_GOAL_SITES));
	findings.root = session->root;
	for (size_t i = 0; i < session->n_records; i++) {
		const struct rs_record *record = session->records[i].record;
		const struct rs_profile_struct *type = rs_profile_find(&session->profile, record->name);

		if (type)
			check_record(session, type, record, session->records[i].tu, &findings);
		n_compared += type != NULL;
	}
	if (n_compared == 0)
		return nothing_compared(session);
	session->result = (struct rs_result) {
		.triple = session->n_tus > 0 ? rs_tu_triple(session->tus[0].tu) : "",
		.line_bytes = session->profile.machine.line_bytes,
		.root = session->root,
		.findings = findings.items,
		.n_findings = findings.n_items,
		.notes = &session->notes,
		.parser_version = rs_parser_version(),
	};
	*ret_result = &session->result;
	return NULL;
}
