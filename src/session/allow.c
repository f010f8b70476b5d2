#include "session/allow.h"

#include <inttypes.h>
#include <string.h>

#include "record/codes.h"

enum { MOST_CODES = 8 };

struct rs_error *rs_allow_check_codes(const struct rs_allowance *allowances, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *code = allowances[i].code;
		const char *nearest = rs_code_nearest(code);

		if (rs_code_exists(code))
			continue;
		if (nearest)
			return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
					       "--allow: there is no code '%s' (did you mean '%s'?)", code,
					       nearest);
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "--allow: there is no code '%s' (docs/hazards.md lists them)", code);
	}
	return NULL;
}

static bool answers_to(const struct rs_record *record, const char *name)
{
	return strcmp(record->name, name) == 0 || rs_record_find_member(record, name) != RS_NONE;
}

static void check_name(struct rs_session *session, const struct rs_allowance *allowance)
{
	for (size_t r = 0; r < session->n_records; r++)
		if (answers_to(session->records[r].record, allowance->name))
			return;
	rs_notes_add(&session->notes, RS_NOTE_WARNING, NULL, 0, 0,
		     "--allow=%s:%s: no struct that was asked for, and no member of one, has this name",
		     allowance->code, allowance->name);
}

static void check_strength(struct rs_session *session, const struct rs_allowance *allowance,
			   const struct rs_record *record)
{
	for (size_t i = 0; i < record->n_pins; i++) {
		const struct rs_pin *pin = &record->pins[i];

		if (pin->strength == RS_PIN_HARD && strcmp(pin->code, allowance->code) == 0)
			rs_notes_add(&session->notes, RS_NOTE_WARNING,
				     pin->file ? pin->file : record->source->path, pin->line, 0,
				     "--allow=%s: here it is hard, and cannot be overruled", allowance->code);
	}
}

/* Overruled, but nobody else tells whoever runs the generator. */
static void warn_generated(struct rs_session *session, const struct rs_record *record)
{
	for (size_t i = 0; i < record->n_pins; i++) {
		const struct rs_pin *pin = &record->pins[i];

		if (pin->strength == RS_PIN_ADVICE && strcmp(pin->code, "generated-file") == 0)
			rs_notes_add(
				&session->notes, RS_NOTE_WARNING, pin->file ? pin->file : record->source->path,
				pin->line, 0,
				"a program wrote this file: it has to be changed, too, or its next run undoes "
				"what is written here for struct '%s'",
				record->name);
	}
}

void rs_allow_check_names(struct rs_session *session)
{
	const struct rs_session_options *options = &session->options;

	for (size_t r = 0; r < session->n_records; r++)
		warn_generated(session, session->records[r].record);
	for (size_t i = 0; i < options->n_allowances; i++) {
		if (options->allowances[i].name)
			check_name(session, &options->allowances[i]);
		for (size_t r = 0; !options->allowances[i].name && r < session->n_records; r++)
			check_strength(session, &options->allowances[i], session->records[r].record);
	}
}

/* --- what pins cost --- */

struct search {
	struct rs_session *session;
	const struct rs_session_record *from;
	const struct rs_record_result *result;
	struct rs_allowance codes[MOST_CODES]; /* of the contract pins that hold something */
	size_t n_codes;
};

static void add_code(struct search *search, const char *code)
{
	for (size_t i = 0; i < search->n_codes; i++)
		if (strcmp(search->codes[i].code, code) == 0)
			return;
	if (search->n_codes < MOST_CODES)
		search->codes[search->n_codes++].code = code;
}

static void find_codes(struct search *search)
{
	const struct rs_record *record = search->result->record;

	for (size_t i = 0; i < record->n_constraints; i++) {
		size_t pin = record->constraints[i].pin;

		if (pin != RS_NONE && record->pins[pin].strength == RS_PIN_CONTRACT)
			add_code(search, record->pins[pin].code);
	}
}

/* The default plan without these pins; NULL when there is none. */
static const struct rs_plan *plan_without(const struct search *search, const struct rs_allowance *codes,
					  size_t n_codes)
{
	struct rs_session *session = search->session;
	struct rs_plan_set set;

	rs_session_optimize(session, search->from,
			    rs_record_amend(session->arena, search->result->record, NULL, codes, n_codes),
			    search->result->binding, &set,
			    rs_arena_array(session->arena, struct rs_plan_dropped, search->from->n_views));
	return set.n_plans > 0 ? &set.plans[set.pick] : NULL;
}

static const char *gain_of(const struct search *search, const struct rs_plan *plan)
{
	struct rs_arena *arena = search->session->arena;
	const struct rs_plan *now = search->result->original.plan;

	if (search->result->cost && plan->cost_ns < now->cost_ns)
		return rs_arena_printf(arena, "%.1f %% less cost is possible",
				       100 * (now->cost_ns - plan->cost_ns) / now->cost_ns);
	uint64_t bytes = now->size_bytes - plan->size_bytes;
	return rs_arena_printf(arena, "%" PRIu64 " %s less %s possible", bytes, bytes == 1 ? "byte" : "bytes",
			       bytes == 1 ? "is" : "are");
}

static const char *describe(const struct search *search, const struct rs_plan *plan,
			    const struct rs_allowance *codes, size_t n_codes)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const char *name = search->result->record->name;

	rs_builder_printf(&text, "%s without %s", gain_of(search, plan), codes[0].code);
	for (size_t i = 1; i < n_codes; i++)
		rs_builder_printf(&text, "%s %s", i + 1 < n_codes ? "," : " and", codes[i].code);
	rs_builder_printf(&text, " (--allow=%s:%s", codes[0].code, name);
	for (size_t i = 1; i < n_codes; i++)
		rs_builder_printf(&text, ",%s:%s", codes[i].code, name);
	rs_builder_appendc(&text, ')');
	return rs_arena_strdup(search->session->arena, text.data);
}

const char *rs_allow_find_gain(struct rs_session *session, const struct rs_session_record *from,
			       const struct rs_record_result *result)
{
	struct search search = { .session = session, .from = from, .result = result };
	const struct rs_plan *plan, *alone;

	find_codes(&search);
	if (search.n_codes == 0)
		return NULL;
	plan = plan_without(&search, search.codes, search.n_codes);
	for (size_t i = 0; plan && search.n_codes > 1 && i < search.n_codes; i++) {
		alone = plan_without(&search, &search.codes[i], 1);
		if (alone)
			return describe(&search, alone, &search.codes[i], 1);
	}
	return plan ? describe(&search, plan, search.codes, search.n_codes) : NULL;
}
