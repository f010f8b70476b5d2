#include "session/import.h"

#include <string.h>

#include "base/file.h"
#include "profile/import.h"
#include "profile/merge.h"
#include "profile/scale.h"
#include "record/code.h"
#include "session/session_internal.h"

/* What is done with an address that is handed on may happen there. */
static struct rs_import_site convert(const struct rs_code_function *function, const struct rs_code_site *site)
{
	return (struct rs_import_site) {
		.file = site->place.file,
		.line = site->place.line,
		.record = function->bases[site->base].record,
		.member = site->member,
		.reads = site->does & (RS_CODE_READ | RS_CODE_ATOMIC | RS_CODE_ADDRESS),
		.writes = site->does & (RS_CODE_WRITE | RS_CODE_ATOMIC | RS_CODE_ADDRESS),
	};
}

/* Sites of the units at hand, in the words of profile/. */
static struct rs_error *find_sites(struct rs_session *session, const struct rs_record *const *records,
				   struct rs_import_site **ret_sites, size_t *ret_count)
{
	struct rs_code code = { .arena = session->arena };
	struct rs_import_site *sites;
	size_t count = 0;

	RS_TRY(rs_session_read_code(session, records, session->n_records, &code));
	for (size_t f = 0; f < code.n_functions; f++)
		count += code.functions[f].n_sites;
	sites = rs_arena_array(session->arena, struct rs_import_site, count);
	count = 0;
	for (size_t f = 0; f < code.n_functions; f++)
		for (size_t i = 0; i < code.functions[f].n_sites; i++)
			sites[count++] = convert(&code.functions[f], &code.functions[f].sites[i]);
	*ret_sites = sites;
	*ret_count = count;
	return NULL;
}

static const struct rs_record **list_records(struct rs_session *session)
{
	const struct rs_record **records =
		rs_arena_array(session->arena, const struct rs_record *, session->n_records);

	for (size_t i = 0; i < session->n_records; i++)
		records[i] = session->records[i].record;
	return records;
}

static struct rs_error *check_need(const struct rs_import *import, const struct rs_session_import *asked)
{
	if (import->n_records > 0 || !rs_import_needs_sites(import))
		return NULL;
	if (asked->has_base)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "--object-base: which struct lies there is said by -C NAME");
	return rs_error_create(
		RS_ERROR_USAGE, import->path, 0, 0,
		"%s names source lines, not fields: name the structs and the sources (-C NAME with -p DIR or "
		"--uses=FILE)",
		import->tool);
}

static struct rs_error *import_file(struct rs_session *session, const struct rs_session_import *asked,
				    const char *path, struct rs_profile *ret_profile)
{
	const struct rs_record **records = list_records(session);
	struct rs_import import = { .arena = session->arena,
				    .notes = &session->notes,
				    .path = path,
				    .as = asked->as,
				    .allocation = asked->allocation,
				    .by_field = asked->by_field,
				    .records = records,
				    .n_records = session->n_records };
	const char **names = rs_arena_array(session->arena, const char *, session->n_records);
	struct rs_import_site *sites = NULL;
	size_t n_sites = 0;
	char *text;

	for (size_t i = 0; i < session->n_records; i++)
		names[i] = records[i]->name;
	RS_TRY(rs_file_read(session->arena, path, &text, &import.size));
	import.text = text;
	RS_TRY(rs_import_read(&import, asked->format));
	RS_TRY(check_need(&import, asked));
	if (session->n_records > 0 && rs_import_needs_sites(&import))
		RS_TRY(find_sites(session, records, &sites, &n_sites));
	rs_import_join(&import, sites, n_sites, asked->has_base, asked->base);
	return rs_import_build(&import, names, session->n_records, ret_profile);
}

static struct rs_error *check_asked(const struct rs_session *session, const struct rs_session_import *asked)
{
	bool known = !asked->as || strcmp(asked->as, "reads") == 0 || strcmp(asked->as, "writes") == 0;

	if (asked->n_paths == 0)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "no file to import was named");
	if (!known)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "--as: '%s' is not reads or writes",
				       asked->as);
	if (asked->has_base && session->n_targets != 1)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "--object-base: name the one struct that lies there (-C NAME)");
	return NULL;
}

struct rs_error *rs_session_import(struct rs_session *session, const struct rs_session_import *asked,
				   struct rs_profile *ret_profile)
{
	struct rs_profile sum = { 0 };

	RS_TRY(check_asked(session, asked));
	if (session->n_targets > 0)
		RS_TRY(rs_session_load(session, RS_GOAL_SITES));
	rs_machine_init(&sum.machine);
	for (size_t i = 0; i < asked->n_paths; i++) {
		struct rs_profile next = { 0 };

		RS_TRY(import_file(session, asked, asked->paths[i], &next));
		RS_TRY(rs_profile_check_units(&sum, &next));
		rs_profile_merge(session->arena, &sum, &next);
	}
	*ret_profile = sum;
	return NULL;
}
