/*
 * Which units are open: those that were used last. All others sleep, so that a call with hundreds of files
 * needs no more memory than one with a few.
 */
#include <string.h>

#include "session/session_internal.h"

static size_t find(const struct rs_session *session, const struct rs_tu *tu)
{
	size_t index = 0;

	while (index < session->n_awake && session->awake[index] != tu)
		index++;
	return index;
}

static void take_out(struct rs_session *session, size_t index)
{
	session->n_awake--;
	memmove(session->awake + index, session->awake + index + 1,
		(session->n_awake - index) * sizeof *session->awake);
}

/* The others first: a unit is parsed when there is room. */
struct rs_error *rs_session_wake(struct rs_session *session, struct rs_tu *tu)
{
	size_t index = find(session, tu);

	if (index < session->n_awake)
		take_out(session, index);
	else if (session->n_awake == RS_SESSION_MAX_AWAKE)
		rs_tu_sleep(session->awake[--session->n_awake]);
	RS_TRY(rs_tu_wake(tu));
	memmove(session->awake + 1, session->awake, session->n_awake * sizeof *session->awake);
	session->awake[0] = tu;
	session->n_awake++;
	return NULL;
}

void rs_session_forget(struct rs_session *session, const struct rs_tu *tu)
{
	size_t index = find(session, tu);

	if (index < session->n_awake)
		take_out(session, index);
}

void rs_session_remember(struct rs_session *session, const char *canonical, const char *configuration,
			 struct rs_tu *tu)
{
	*rs_array_push(session->arena, session->tus, session->n_tus, session->tus_capacity) =
		(struct rs_session_tu) { .file = canonical, .configuration = configuration, .tu = tu };
	/* It is open: nothing can fail. */
	rs_error_destroy(rs_session_wake(session, tu));
}
