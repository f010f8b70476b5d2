#include <string.h>

#include "base/path.h"

#include "parse/sites.h"
#include "session/import.h"
#include "session/session_internal.h"

enum { MOST_LOOPS = 9 }; /* a thousand million is as much as an estimate may say */

static double estimate(const struct rs_site *site)
{
	double times = 1;

	for (unsigned i = 0; i < site->depth && i < MOST_LOOPS; i++)
		times *= 10;
	return times;
}

/* Fields in the order of the struct: those that hold others are said by what they hold. */
static struct rs_profile_field *make_fields(struct rs_session *session, size_t index,
					    const struct rs_site_list *sites, size_t *ret_count)
{
	const struct rs_record *record = session->records[index].record;
	struct rs_profile_field *fields =
		rs_arena_array(session->arena, struct rs_profile_field, record->n_members);
	size_t *field_of = rs_arena_array(session->arena, size_t, record->n_members); /* plus one */
	size_t count = 0;

	for (size_t m = 0; m < record->n_members; m++) {
		const struct rs_member *member = &record->members[m];

		if (member->path[0] == '\0' || (member->is_aggregate && member->n_inside > 0))
			continue;
		fields[count] =
			(struct rs_profile_field) { .name = member->path, .is_atomic = member->is_atomic };
		field_of[m] = ++count;
	}
	for (size_t i = 0; i < sites->n_items; i++) {
		const struct rs_site *site = &sites->items[i];

		if (site->record != index || !field_of[site->member])
			continue; /* a whole aggregate: a copy, which happens when it is made */
		struct rs_profile_field *field = &fields[field_of[site->member] - 1];
		field->reads += site->reads ? estimate(site) : 0;
		field->writes += site->writes ? estimate(site) : 0;
	}
	*ret_count = count;
	return fields;
}

struct rs_error *rs_session_init_profile(struct rs_session *session, const char *version,
					 struct rs_profile *ret_profile)
{
	struct rs_site_list sites = { .arena = session->arena };
	struct rs_profile profile = { 0 };

	RS_TRY(rs_session_load(session, RS_GOAL_SITES));
	const struct rs_record **records =
		rs_arena_array(session->arena, const struct rs_record *, session->n_records);
	for (size_t i = 0; i < session->n_records; i++)
		records[i] = session->records[i].record;
	rs_session_find_sites(session, records, session->n_records, &sites);
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
		structs[i].fields = make_fields(session, i, &sites, &structs[i].n_fields);
	}
	rs_machine_init(&profile.machine);
	profile.structs = structs;
	profile.n_structs = session->n_records;
	*ret_profile = profile;
	return NULL;
}
