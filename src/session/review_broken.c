/* What no longer compiles. */
#include <string.h>

#include "base/file.h"
#include "session/review_internal.h"

/* A file that is missing says something about where the review is made, not about the change. */
static bool is_elsewhere(const char *message)
{
	return strstr(message, "file not found") != NULL;
}

static const struct rs_session_failure *find_failure(const struct rs_session *session, const char *file)
{
	for (size_t i = 0; session && i < session->n_failures; i++)
		if (strcmp(session->failures[i].file, file) == 0)
			return &session->failures[i];
	return NULL;
}

static bool was_asked(const struct rs_session *session, const char *file)
{
	for (size_t i = 0; session && i < session->n_targets; i++)
		if (strcmp(session->targets[i].file, file) == 0)
			return true;
	return false;
}

static void report(struct rs_finding_list *list, bool is_broken, const char *path, unsigned line,
		   const char *record, const char *file, const char *message)
{
	if (is_broken)
		rs_finding_add_at(list, "source-broken", RS_FINDING_ERROR, path, line, record, file,
				  "this parsed before the change and does not after it: %s", message);
	else
		rs_finding_add_at(list, "source-unread", RS_FINDING_NOTE, path, line, record, file,
				  "this cannot be read, so nothing is said about it: %s", message);
}

/* One header can fail under many sources. */
static bool is_known(const struct rs_finding_list *list, const char *path, unsigned line)
{
	for (size_t i = 0; i < list->n_items; i++)
		if (!list->items[i].record && list->items[i].line == line &&
		    strcmp(list->items[i].path, path) == 0)
			return true;
	return false;
}

void rs_review_compare_failures(struct rs_finding_list *list, const struct rs_session *before,
				const struct rs_session *after)
{
	for (size_t i = 0; after && i < after->n_failures; i++) {
		const struct rs_session_failure *failure = &after->failures[i];
		bool is_broken = was_asked(before, failure->file) && !find_failure(before, failure->file) &&
				 !is_elsewhere(failure->message);

		const char *path =
			rs_path_canonical(list->arena, failure->path ? failure->path : failure->file);

		if (!is_known(list, path, failure->line))
			report(list, is_broken, path, failure->line, NULL, failure->file, failure->message);
	}
}

/* --- sources that use a record --- */

bool rs_review_is_unread(const struct rs_pin *pin)
{
	return strcmp(pin->code, "unread-source") == 0;
}

static bool has_unread(const struct rs_record *record, const char *file)
{
	for (size_t i = 0; i < record->n_pins; i++)
		if (rs_review_is_unread(&record->pins[i]) && record->pins[i].file &&
		    strcmp(record->pins[i].file, file) == 0)
			return true;
	return false;
}

static bool is_touched(const struct rs_session *session, const char *file)
{
	for (size_t i = 0; session && i < session->n_failures; i++)
		if (strcmp(session->failures[i].file, file) == 0)
			return true;
	return false;
}

void rs_review_compare_unread(const struct rs_review_pair *pair, const struct rs_record *before,
			      const struct rs_record *after, const struct rs_session *touched)
{
	const struct rs_pin *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < after->n_pins; i++) {
		const struct rs_pin *pin = &after->pins[i];

		if (!rs_review_is_unread(pin) || !pin->file || is_touched(touched, pin->file))
			continue;
		if (!has_unread(before, pin->file) && !is_elsewhere(pin->message)) {
			report(pair->list, true, pin->file, pin->line, after->name, NULL, pin->message);
			continue;
		}
		first = first ? first : pin;
		count++;
	}
	if (count > 0)
		rs_finding_add_at(
			pair->list, "source-unread", RS_FINDING_NOTE, first->file, first->line, after->name,
			NULL,
			"%zu source%s that name%s struct '%s' cannot be read, before the change or after "
			"it; here the %s: %s",
			count, count == 1 ? "" : "s", count == 1 ? "s" : "", after->name,
			count == 1 ? "reason" : "first", first->message);
}
