#include <string.h>

#include "base/path.h"
#include "record/code.h"
#include "session/import.h"
#include "session/session_internal.h"

/* Fields in the order of the struct: those that hold others are said by what they hold. */
static struct rs_profile_field *list_fields(struct rs_arena *arena, const struct rs_record *record,
					    size_t *ret_field_of, size_t *ret_count)
{
	struct rs_profile_field *fields = rs_arena_array(arena, struct rs_profile_field, record->n_members);
	size_t count = 0;

	for (size_t m = 0; m < record->n_members; m++) {
		const struct rs_member *member = &record->members[m];

		ret_field_of[m] = RS_NONE;
		if (member->path[0] == '\0' || (member->is_aggregate && member->n_inside > 0))
			continue;
		ret_field_of[m] = count;
		fields[count++] =
			(struct rs_profile_field) { .name = member->path, .is_atomic = member->is_atomic };
	}
	*ret_count = count;
	return fields;
}

/* An address that goes where nobody follows it counts as a read, as `profile collect` has it. */
static void add_site(const struct rs_code_site *site, double times, struct rs_profile_field *field)
{
	bool atomic = site->does & RS_CODE_ATOMIC;

	field->is_atomic |= atomic;
	field->reads += !atomic && site->does & (RS_CODE_READ | RS_CODE_ADDRESS) ? times : 0;
	field->writes += atomic || site->does & RS_CODE_WRITE ? times : 0;
}

/* A whole object, or a whole aggregate of it, is copied when it is made: that says nothing of its fields. */
static struct rs_profile_field *make_fields(struct rs_session *session, size_t index,
					    const struct rs_code *code, size_t *ret_count)
{
	const struct rs_record *record = session->records[index].record;
	size_t *field_of = rs_arena_array(session->arena, size_t, record->n_members);
	struct rs_profile_field *fields = list_fields(session->arena, record, field_of, ret_count);

	for (size_t f = 0; f < code->n_functions; f++) {
		const struct rs_code_function *function = &code->functions[f];

		for (size_t i = 0; i < function->n_sites; i++) {
			const struct rs_code_site *site = &function->sites[i];

			if (function->bases[site->base].record == index && site->member != RS_NONE &&
			    field_of[site->member] != RS_NONE)
				add_site(site, rs_code_estimate(function, site->block),
					 &fields[field_of[site->member]]);
		}
	}
	return fields;
}

struct rs_error *rs_session_init_profile(struct rs_session *session, const char *version,
					 struct rs_profile *ret_profile)
{
	struct rs_code code = { .arena = session->arena };
	struct rs_profile profile = { 0 };

	RS_TRY(rs_session_load(session, RS_GOAL_SITES));
	const struct rs_record **records =
		rs_arena_array(session->arena, const struct rs_record *, session->n_records);
	for (size_t i = 0; i < session->n_records; i++)
		records[i] = session->records[i].record;
	RS_TRY(rs_session_read_code(session, records, session->n_records, &code));
	struct rs_profile_struct *structs =
		rs_arena_array(session->arena, struct rs_profile_struct, session->n_records);
	for (size_t i = 0; i < session->n_records; i++) {
		struct rs_profile_source *source = rs_arena_new(session->arena, struct rs_profile_source);

		*source = (struct rs_profile_source) { .tool = "restruct annotate --init-profile",
						       .version = version,
						       .file = rs_path_below(records[i]->source->realpath,
									     session->root),
						       .trust = "static" };
		structs[i] = (struct rs_profile_struct) {
			.name = records[i]->name, .sources = source, .n_sources = 1, .is_complete = true
		};
		structs[i].fields = make_fields(session, i, &code, &structs[i].n_fields);
	}
	rs_machine_init(&profile.machine);
	profile.structs = structs;
	profile.n_structs = session->n_records;
	*ret_profile = profile;
	return NULL;
}
