/* Which sources have to be read on both sides. */
#include <string.h>

#include "base/file.h"
#include "session/review_internal.h"

static void add(struct rs_review_scope *scope, const char *file)
{
	for (size_t i = 0; i < scope->n_files; i++)
		if (strcmp(scope->files[i], file) == 0)
			return;
	*rs_array_push(scope->arena, scope->files, scope->n_files, scope->files_capacity) = file;
}

/* Whether the unit showed anything that speaks of an order, or could not be read. */
static bool is_telling(const struct rs_session_source *source)
{
	const struct rs_facts *facts = &source->facts;

	if (source->is_open || facts->failure || facts->n_asserting > 0)
		return true;
	for (size_t i = 0; i < facts->n_records; i++)
		if (facts->pins[i].n_pins > 0 || facts->initializers[i].n_items > 0)
			return true;
	return false;
}

void rs_review_scope_add_session(struct rs_review_scope *scope, const struct rs_session *session)
{
	for (size_t i = 0; i < session->n_sources; i++)
		if (is_telling(&session->sources[i]))
			add(scope, session->sources[i].unit->file);
}

void rs_review_scope_add_changes(struct rs_review_scope *scope, const struct rs_git_changes *changes)
{
	for (size_t i = 0; i < changes->n_items; i++)
		add(scope, rs_path_canonical(scope->arena, changes->items[i].path));
}

/* Sources that may no longer compile, where a field went or has another name. */
void rs_review_scope_add_users(struct rs_review_scope *scope, const struct rs_session *session,
			       const struct rs_review_pair *pair)
{
	const struct rs_record *before = pair->before->record;

	for (size_t m = 0; m < before->n_members; m++) {
		bool is_gone =
			pair->twin[m] == RS_NONE ||
			strcmp(before->members[m].name, pair->after->record->members[pair->twin[m]].name) != 0;

		for (size_t i = 0; is_gone && *before->members[m].name && i < session->n_sources; i++)
			if (rs_session_spells(session->sources[i].unit->file, &before->members[m].name, 1,
					      true))
				add(scope, session->sources[i].unit->file);
	}
}
