#include "session/session_internal.h"

#include <string.h>
#include <sys/stat.h>

#include "session/blocks.h"
#include "session/together.h"

/* The records that are rewritten. */
struct chosen {
	size_t *records; /* indices */
	size_t n_records;
};

static bool overlaps(const struct rs_session *session, const struct chosen *chosen,
		     const struct rs_record *record)
{
	for (size_t i = 0; i < chosen->n_records; i++) {
		const struct rs_record *other = session->results[chosen->records[i]].record;

		if (record->span.start < other->span.end && other->span.start < record->span.end &&
		    strcmp(record->source->realpath, other->source->realpath) == 0)
			return true;
	}
	return false;
}

/* A struct defined inside another moves with it: the outer one goes first, the inner one waits for another run.
 */
static void defer_nested(struct rs_session *session, struct rs_record_result *result)
{
	const struct rs_record *record = result->record;
	struct rs_position at = rs_source_position(record->source, record->span.start);

	rs_notes_add(&session->notes, RS_NOTE_WARNING, record->source->path, at.line, at.column,
		     "struct '%s' lies inside a struct that is rewritten in the same run: run again for it",
		     record->name);
	result->pick = RS_NONE;
}

/* The records that have a pick, without those that lie inside another. */
static void choose(struct rs_session *session, struct chosen *chosen)
{
	chosen->records = rs_arena_array(session->arena, size_t, session->n_records);
	for (size_t r = 0; r < session->n_records; r++) {
		struct rs_record_result *result = &session->results[r];

		if (result->pick == RS_NONE)
			continue;
		if (overlaps(session, chosen, result->record))
			defer_nested(session, result);
		else
			chosen->records[chosen->n_records++] = r;
	}
}

static bool embeds(const struct rs_record *record, const struct rs_record *inner)
{
	for (size_t i = 0; i < record->n_members; i++) {
		const struct rs_member *member = &record->members[i];
		const char *type = strncmp(member->type, "struct ", 7) == 0 ? member->type + 7 : member->type;
		size_t length = strlen(inner->name);

		if (strncmp(type, inner->name, length) == 0 &&
		    strcspn(type + length, "*(") == strlen(type + length) &&
		    (type[length] == '\0' || type[length] == ' ' || type[length] == '['))
			return true;
	}
	return false;
}

/* Plans are made record by record: what one gains is not in the figures of another that embeds it. */
static void note_embedding(struct rs_session *session)
{
	for (size_t i = 0; i < session->n_records; i++)
		for (size_t j = 0; j < session->n_records; j++) {
			const struct rs_record *outer = session->results[i].record;
			const struct rs_record *inner = session->results[j].record;

			if (i == j || session->results[i].pick == RS_NONE ||
			    session->results[j].pick == RS_NONE || !embeds(outer, inner))
				continue;
			struct rs_position at = rs_source_position(outer->source, outer->span.start);
			rs_notes_add(
				&session->notes, RS_NOTE_INFO, outer->source->path, at.line, at.column,
				"struct '%s' embeds '%s': its figures are those without that one's change; run "
				"again for more",
				outer->name, inner->name);
		}
}

/* A patch does not show what its plan's report says. */
static void note_remarks(struct rs_session *session)
{
	for (size_t i = 0; i < session->n_records; i++) {
		const struct rs_record_result *result = &session->results[i];
		const struct rs_plan_result *plan =
			result->pick == RS_NONE ? NULL : &result->plans[result->pick];

		for (size_t k = 0; plan && k < plan->n_remarks; k++)
			rs_notes_add(&session->notes, RS_NOTE_WARNING, result->record->source->path,
				     plan->remarks[k].line, 0, "struct '%s': %s (%s)", result->record->name,
				     plan->remarks[k].message, plan->remarks[k].code);
	}
}

static struct rs_error *mark_verified(struct rs_session *session)
{
	for (size_t i = 0; i < session->n_records; i++) {
		struct rs_record_result *result = &session->results[i];

		if (result->pick == RS_NONE)
			continue;
		result->plans[result->pick].verified = true;
		RS_TRY(rs_session_count_lines(&result->plans[result->pick]));
		RS_TRY(rs_blocks_count(session, i, &result->plans[result->pick]));
	}
	return NULL;
}

static unsigned git_mode(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && (status.st_mode & S_IXUSR) ? 0100755 : 0100644;
}

static void take_texts(struct rs_session *session, const struct rs_session_changes *changes)
{
	for (size_t i = 0; i < session->result.n_files; i++) {
		struct rs_file_result *file = &session->files[i];
		const struct rs_file_change *change = rs_changes_find(changes, file->source->realpath);

		if (!change)
			continue;
		file->new_text = change->new_text;
		file->new_size = change->new_size;
	}
}

struct rs_error *rs_session_emit(struct rs_session *session)
{
	struct rs_session_changes changes;
	struct chosen chosen = { 0 };

	for (size_t i = 0; i < session->result.n_files; i++)
		session->files[i].mode = git_mode(session->files[i].source->realpath);
	choose(session, &chosen);
	RS_TRY(rs_together_settle(session, chosen.records, chosen.n_records, &changes));
	take_texts(session, &changes);
	RS_TRY(mark_verified(session));
	note_embedding(session);
	note_remarks(session);
	return session->options.is_series ? rs_session_make_series(session) : NULL;
}
