#include "session/collect.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/inflate.h"
#include "profile/collect.h"
#include "session/session_internal.h"

static time_t time_of(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? status.st_mtime : 0;
}

static const char *show_date(struct rs_arena *arena, time_t time)
{
	struct tm when;
	char text[16];

	if (time == 0 || !gmtime_r(&time, &when) || strftime(text, sizeof text, "%Y-%m-%d", &when) == 0)
		return NULL;
	return rs_arena_strdup(arena, text);
}

static struct rs_error *read_coverage(struct rs_session *session, const struct rs_session_collect *asked,
				      struct rs_coverage *coverage, const char **ret_date)
{
	time_t newest = 0;

	for (size_t i = 0; i < asked->n_paths; i++) {
		time_t time = time_of(asked->paths[i]);
		char *text;
		size_t size;

		RS_TRY(rs_file_read(session->arena, asked->paths[i], &text, &size));
		RS_TRY(rs_inflate(session->arena, asked->paths[i], &text, &size));
		RS_TRY(rs_coverage_read(coverage, asked->paths[i], text, size));
		newest = time > newest ? time : newest;
	}
	*ret_date = show_date(session->arena, newest);
	return NULL;
}

static const char *name_origin(struct rs_arena *arena, const struct rs_session_collect *asked)
{
	if (asked->origin || asked->n_paths == 0)
		return asked->origin;
	return asked->n_paths == 1
		       ? asked->paths[0]
		       : rs_arena_printf(arena, "%s and %zu more", asked->paths[0], asked->n_paths - 1);
}

struct rs_error *rs_session_collect(struct rs_session *session, const struct rs_session_collect *asked,
				    struct rs_profile *ret_profile)
{
	RS_CLEANUP(rs_coverage_deinit) struct rs_coverage coverage = { .arena = session->arena };
	struct rs_code code = { .arena = session->arena };
	const char *date = NULL;
	const struct rs_record **records;

	RS_TRY(read_coverage(session, asked, &coverage, &date));
	RS_TRY(rs_session_load(session, RS_GOAL_SITES));
	records = rs_arena_array(session->arena, const struct rs_record *, session->n_records);
	for (size_t i = 0; i < session->n_records; i++)
		records[i] = session->records[i].record;
	RS_TRY(rs_session_read_code(session, records, session->n_records, &code));
	const struct rs_collect collect = { .arena = session->arena,
					    .notes = &session->notes,
					    .records = records,
					    .n_records = session->n_records,
					    .code = &code,
					    .coverage = &coverage,
					    .by_field = asked->by_field,
					    .origin = name_origin(session->arena, asked),
					    .date = date,
					    .version = asked->version };
	return rs_collect(&collect, ret_profile);
}
