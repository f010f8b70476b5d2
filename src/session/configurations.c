#include "session/session_internal.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "parse/branches.h"
#include "record/configurations.h"
#include "record/hazards.h"
#include "rewrite/split.h"

/* --- units in the named configurations --- */

struct rs_error *rs_session_vary(struct rs_session *session, const struct rs_session_tu *from,
				 const struct rs_session_configuration *configuration, struct rs_tu **ret_tu)
{
	const char *name = configuration->name, *file = from->file;
	struct rs_tu *tu;

	RS_TRY(rs_error_prefix(rs_tu_vary(from->tu, configuration->flags, configuration->n_flags, &tu),
			       "in configuration '%s'", name));
	rs_session_remember(session, file, name, tu);
	*ret_tu = tu;
	return NULL;
}

static bool shows_record(const struct rs_session *session, const struct rs_tu *tu)
{
	for (size_t i = 0; i < session->n_records; i++)
		if (session->records[i].tu == tu)
			return true;
	return false;
}

static void note_absent(struct rs_session *session, const struct rs_tu *from, struct rs_tu *tu,
			const char *configuration)
{
	for (size_t i = 0; i < session->n_records; i++) {
		const struct rs_record *record = session->records[i].record;
		struct rs_position at = rs_source_position(record->source, record->span.start);

		if (session->records[i].tu != from || rs_records_fingerprint(tu, record) != 0)
			continue;
		rs_notes_add(&session->notes, RS_NOTE_WARNING, record->source->path, at.line, at.column,
			     "configuration '%s' does not define struct '%s' here, and says nothing about its "
			     "order",
			     configuration, record->name);
	}
}

struct rs_error *rs_session_vary_units(struct rs_session *session)
{
	size_t n_tus = session->n_tus;

	for (size_t i = 0; i < n_tus; i++)
		for (size_t c = 0; c < session->options.n_configurations; c++) {
			const struct rs_session_tu from = session->tus[i];
			struct rs_tu *tu;

			if (!shows_record(session, from.tu))
				continue;
			RS_TRY(rs_session_vary(session, &from, &session->options.configurations[c], &tu));
			note_absent(session, from.tu, tu, session->options.configurations[c].name);
		}
	return NULL;
}

/* --- views --- */

static struct rs_error *read_record(struct rs_session *session, struct rs_tu *tu, const struct rs_record *main,
				    const struct rs_record **ret_record)
{
	const struct rs_record_query query = { .file = main->source->realpath, .name = main->name };
	const struct rs_record **found;
	size_t count;

	*ret_record = NULL;
	RS_TRY(rs_records_find(tu, session->arena, &query, &found, &count));
	for (size_t i = 0; i < count; i++) {
		struct rs_record *record;

		if (found[i]->span.start != main->span.start || found[i]->span.end != main->span.end)
			continue;
		record = rs_arena_new(session->arena, struct rs_record);
		*record = *found[i];
		record->source = main->source;
		*ret_record = rs_split_is_divided(main) ? rs_split_divide(session->arena, record) : record;
	}
	return NULL;
}

static size_t find_view(const struct rs_session_record *from, const char *name)
{
	for (size_t i = 0; i < from->n_views; i++)
		if (strcmp(from->views[i].name, name) == 0)
			return i;
	return RS_NONE;
}

/* The configuration's name, else the file's; numbered when there is one already. */
static const char *name_view(struct rs_session *session, const struct rs_session_record *from,
			     const struct rs_tu *tu, const char *configuration)
{
	const char *file = rs_path_below(rs_tu_main_file(tu), rs_path_canonical(session->arena, "."));
	const char *base = configuration ? configuration : file, *name = base;

	if (configuration && find_view(from, name) != RS_NONE)
		name = base = rs_arena_printf(session->arena, "%s in %s", configuration, file);
	for (unsigned i = 2; find_view(from, name) != RS_NONE; i++)
		name = rs_arena_printf(session->arena, "%s (%u)", base, i);
	return name;
}

static void add_view(struct rs_session *session, struct rs_session_record *from, struct rs_tu *tu,
		     const char *configuration, const struct rs_record *record, uint64_t fingerprint)
{
	struct rs_session_view view = { .name = name_view(session, from, tu, configuration),
					.fingerprint = fingerprint,
					.tu = tu,
					.record = record };

	view.found.arena = session->arena;
	rs_hazards_find(&view.found, record);
	*rs_array_push(session->arena, from->views, from->n_views, from->views_capacity) = view;
}

/* As what one record is seen in the unit. */
static struct rs_error *see(struct rs_session *session, struct rs_session_record *from, struct rs_tu *tu,
			    const char *configuration, size_t *ret_view, bool *ret_is_new)
{
	uint64_t fingerprint = tu == from->tu ? from->fingerprint : rs_records_fingerprint(tu, from->record);
	const struct rs_record *record;

	*ret_view = RS_NONE;
	if (fingerprint == 0 || from->fingerprint == 0 || fingerprint == from->fingerprint)
		return NULL;
	for (size_t i = 0; i < from->n_views; i++)
		if (from->views[i].fingerprint == fingerprint) {
			*ret_view = i;
			return NULL;
		}
	RS_TRY(read_record(session, tu, from->record, &record));
	if (!record || rs_configurations_are_same(record, from->record))
		return NULL;
	*ret_view = from->n_views;
	*ret_is_new = true;
	add_view(session, from, tu, configuration, record, fingerprint);
	return NULL;
}

struct rs_error *rs_session_find_views(struct rs_session *session, struct rs_tu *tu, const char *configuration,
				       size_t *ret_views, bool *ret_is_new)
{
	*ret_is_new = false;
	for (size_t i = 0; i < session->n_records; i++) {
		struct rs_session_record *from = &session->records[i];

		RS_TRY(see(session, from, tu, configuration, &ret_views[i], ret_is_new));
	}
	return NULL;
}

/* --- what holds in all of them --- */

static bool is_seen(const struct rs_session_record *from, const struct rs_branch *branch)
{
	if (rs_branches_is_active(from->record, branch))
		return true;
	for (size_t i = 0; i < from->n_views; i++)
		if (rs_branches_is_active(from->views[i].record, branch))
			return true;
	return false;
}

/* One warning a record: the pins name them all. */
static void note_unseen(struct rs_session *session, const struct rs_record *record,
			const struct rs_branch *first, size_t count)
{
	rs_notes_add(
		&session->notes, RS_NOTE_WARNING, record->source->path, first->line, 0,
		"struct '%s': none of the configurations seen has the branch %s%s: fields there were not "
		"checked (--config=NAME=FLAGS adds a configuration)",
		record->name, first->directive,
		count > 1 ? rs_arena_printf(session->arena, " or %zu other%s", count - 1, count > 2 ? "s" : "")
			  : "");
}

static void pin_unseen(struct rs_session *session, const struct rs_session_record *from,
		       struct rs_pin_list *list)
{
	size_t count;
	const struct rs_branch *branches = rs_branches_find(session->arena, from->record, &count);
	const struct rs_branch *first = NULL;
	size_t n_unseen = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_seen(from, &branches[i]))
			continue;
		rs_pin_add(list, "unseen-branch", RS_PIN_ADVICE, RS_NONE, branches[i].line, false,
			   "the branch at line %u (%s) is in none of the configurations seen: its fields were "
			   "not checked",
			   branches[i].line, branches[i].directive);
		if (n_unseen++ == 0)
			first = &branches[i];
	}
	if (session->with_bodies && n_unseen > 0)
		note_unseen(session, from->record, first, n_unseen);
}

static struct rs_configuration *configurations_of(struct rs_session *session,
						  const struct rs_session_record *from)
{
	struct rs_configuration *configurations =
		rs_arena_array(session->arena, struct rs_configuration, from->n_views);

	for (size_t i = 0; i < from->n_views; i++)
		configurations[i] = (struct rs_configuration) { from->views[i].name, from->views[i].record,
								&from->views[i].found };
	return configurations;
}

void rs_session_unite(struct rs_session *session, struct rs_session_record *from, struct rs_pin_list *list)
{
	const struct rs_configuration *configurations = configurations_of(session, from);
	const struct rs_record *main = from->record;

	pin_unseen(session, from, list);
	if (from->n_views == 0)
		return;
	from->record = rs_configurations_unite(main, configurations, from->n_views, list);
	for (size_t i = 0; i < from->n_views; i++)
		from->views[i].record = rs_configurations_add_names(session->arena, from->views[i].record, main,
								    configurations, from->n_views);
}

/* --- plans --- */

struct rs_error *rs_session_bind_views(struct rs_session *session, const struct rs_session_record *from)
{
	struct rs_notes ignored; /* the record's own binding has the same to say */

	rs_notes_init(&ignored, session->arena);
	for (size_t i = 0; i < from->n_views; i++) {
		struct rs_session_view *view = &from->views[i];

		RS_TRY(rs_session_bind(session, view->record, view->tu, &ignored, &view->binding));
		view->cost = view->binding ? rs_cost_create(session->arena, view->binding) : NULL;
	}
	return NULL;
}

struct rs_plan_view *rs_session_plan_views(struct rs_session *session, const struct rs_session_record *from)
{
	struct rs_plan_view *views = rs_arena_array(session->arena, struct rs_plan_view, from->n_views);

	for (size_t i = 0; i < from->n_views; i++)
		views[i] = (struct rs_plan_view) { from->views[i].name, from->views[i].record,
						   from->views[i].binding, from->views[i].cost };
	return views;
}

static const char *describe(struct rs_session *session, const struct rs_session_view *view,
			    const struct rs_plan_dropped *dropped)
{
	const char *plans = rs_arena_printf(
		session->arena,
		"%zu plan%s that would be good otherwise (%" PRIu64 " bytes) dropped: in configuration '%s' ",
		dropped->n_plans, dropped->n_plans == 1 ? "" : "s", dropped->size_bytes, view->name);

	if (dropped->after.size_bytes > dropped->before.size_bytes)
		return rs_arena_printf(session->arena, "%sthere would be %" PRIu64 " bytes instead of %" PRIu64,
				       plans, dropped->after.size_bytes, dropped->before.size_bytes);
	if (dropped->after.joins)
		return rs_arena_printf(session->arena,
				       "%sbit-fields would become one memory location that different paths "
				       "write",
				       plans);
	if (dropped->after.parts)
		return rs_arena_printf(session->arena,
				       "%sfields that were asked to share a line would not share one", plans);
	return rs_arena_printf(session->arena, "%sthe cost would be %.3f ns instead of %.3f", plans,
			       dropped->after.cost_ns, dropped->before.cost_ns);
}

static void add_dropped(struct rs_session *session, const struct rs_session_record *from,
			const struct rs_plan_dropped *dropped, struct rs_record_result *result)
{
	struct rs_pin *hazards =
		rs_arena_array(session->arena, struct rs_pin, result->n_hazards + from->n_views);
	struct rs_position at = rs_source_position(from->record->source, from->record->span.start);

	for (size_t i = 0; i < result->n_hazards; i++)
		hazards[i] = result->hazards[i];
	for (size_t v = 0; v < from->n_views; v++) {
		if (dropped[v].n_plans == 0)
			continue;
		const char *message = describe(session, &from->views[v], &dropped[v]);

		hazards[result->n_hazards++] = (struct rs_pin) {
			.code = "worse-configuration",
			.strength = RS_PIN_ADVICE,
			.message = message,
			.file = from->record->source->path,
			.line = at.line,
			.unit = RS_NONE,
		};
		rs_notes_add(&session->notes, RS_NOTE_INFO, from->record->source->path, at.line, at.column,
			     "struct '%s': %s", from->record->name, message);
	}
	result->hazards = hazards;
}

void rs_session_optimize(struct rs_session *session, const struct rs_session_record *from,
			 const struct rs_record *record, const struct rs_binding *binding,
			 struct rs_plan_set *ret_set, struct rs_plan_dropped *ret_dropped)
{
	const struct rs_plan_problem problem = { .record = record,
						 .binding = binding,
						 .views = rs_session_plan_views(session, from),
						 .n_views = from->n_views,
						 .options = &session->options.plan };

	rs_plan_optimize(session->arena, record, binding, &session->options.plan, ret_set);
	if (from->n_views > 0)
		rs_agree_choose(session->arena, &problem, ret_set, ret_dropped);
}

void rs_session_find_plans(struct rs_session *session, const struct rs_session_record *from,
			   struct rs_record_result *result, struct rs_plan_set *ret_set)
{
	struct rs_plan_dropped *dropped = rs_arena_array(session->arena, struct rs_plan_dropped, from->n_views);

	rs_session_optimize(session, from, from->record, result->binding, ret_set, dropped);
	if (from->n_views > 0)
		add_dropped(session, from, dropped, result);
}
