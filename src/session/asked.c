#include "session/asked.h"

#include <string.h>

#include "plan/companions.h"
#include "plan/permit.h"
#include "profile/hold.h"

enum asked_how { HOW_FIRST, HOW_LAST, HOW_BEFORE, HOW_AFTER, HOW_NEXT, HOW_NEAR, N_HOWS };

static const char *const how_names[N_HOWS] = {
	[HOW_FIRST] = "first", [HOW_LAST] = "last", [HOW_BEFORE] = "before",
	[HOW_AFTER] = "after", [HOW_NEXT] = "next", [HOW_NEAR] = "near",
};

struct asked {
	const char *text; /* as given */
	const char *name, *other;
	enum asked_how how;
};

/* A name of it in one record. */
struct found {
	size_t member; /* RS_NONE: only other configurations have it */
	size_t unit;
};

static bool needs_other(enum asked_how how)
{
	return how != HOW_FIRST && how != HOW_LAST;
}

static struct rs_error *report_form(const char *text)
{
	return rs_error_create(
		RS_ERROR_USAGE, NULL, 0, 0,
		"--pin: '%s' is none of A:first, A:last, A:before:B, A:after:B, A:next:B, A:near:B", text);
}

static struct rs_error *parse(struct rs_arena *arena, const char *text, struct asked *ret_asked)
{
	const char *how = strchr(text, ':'), *other = how ? strchr(how + 1, ':') : NULL;
	struct asked asked = { .text = text, .how = N_HOWS };
	size_t length = how ? strcspn(how + 1, ":") : 0;

	for (size_t i = 0; i < N_HOWS; i++)
		if (strlen(how_names[i]) == length && strncmp(how ? how + 1 : "", how_names[i], length) == 0)
			asked.how = (enum asked_how)i;
	if (asked.how == N_HOWS || how == text || needs_other(asked.how) != (other && other[1]))
		return report_form(text);
	if (!needs_other(asked.how) && other)
		return report_form(text);
	asked.name = rs_arena_strndup(arena, text, (size_t)(how - text));
	asked.other = needs_other(asked.how) ? other + 1 : NULL;
	if (asked.other && strcmp(asked.name, asked.other) == 0)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "--pin: '%s' names one field twice", text);
	*ret_asked = asked;
	return NULL;
}

static bool find(const struct rs_record *record, const char *name, struct found *ret_found)
{
	size_t member = rs_record_find_member(record, name);
	const struct rs_alias *alias = rs_record_find_alias(record, name);

	*ret_found = (struct found) { member, RS_NONE };
	if (member != RS_NONE)
		ret_found->unit = record->members[member].unit;
	else if (alias)
		ret_found->unit = alias->unit;
	return ret_found->unit != RS_NONE;
}

static bool has_both(const struct rs_record *record, const struct asked *asked)
{
	struct found found;

	return find(record, asked->name, &found) && (!asked->other || find(record, asked->other, &found));
}

static struct rs_error *report_absent(struct rs_session *session, const struct asked *asked)
{
	const char *name = asked->name, *nearest;
	struct found found;
	bool is_known = false;

	for (size_t r = 0; r < session->n_records; r++)
		is_known |= find(session->records[r].record, name, &found);
	if (is_known && asked->other)
		name = asked->other;
	nearest = rs_session_nearest_member(session, name);
	return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "--pin=%s: no struct has a member '%s'%s%s%s%s",
			       asked->text, name, asked->other ? " beside the other one" : "",
			       nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

struct rs_error *rs_asked_check_names(struct rs_session *session)
{
	for (size_t i = 0; i < session->options.n_asked; i++) {
		struct asked asked;
		bool is_found = false;

		RS_TRY(parse(session->arena, session->options.asked[i], &asked));
		for (size_t r = 0; r < session->n_records; r++)
			is_found |= has_both(session->records[r].record, &asked);
		if (!is_found)
			return report_absent(session, &asked);
	}
	return NULL;
}

/* --- one record --- */

struct adding {
	const struct rs_record *record;
	const struct asked *asked;
	struct found own, other;
	struct rs_pin_list *list;
	unsigned line_bytes;
};

static struct rs_error *report_impossible(const struct adding *adding, const char *reason)
{
	return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "--pin=%s: not possible in '%s': %s",
			       adding->asked->text, adding->record->name, reason);
}

/* "'a' lies on a line with 'b', as asked"; verb: what stands between the names. */
static void add_pin(const struct adding *adding, const char *verb)
{
	const char *other = adding->asked->other;
	unsigned line = adding->own.member == RS_NONE ? 0 : adding->record->members[adding->own.member].line;

	rs_pin_add(adding->list, "asked", RS_PIN_HARD, adding->own.unit, line, false, "'%s' %s%s%s%s, as asked",
		   adding->asked->name, verb, other ? " '" : "", other ? other : "", other ? "'" : "");
}

/* First and last of a part are that of the struct only where it is the outermost one. */
static struct rs_error *add_end(const struct adding *adding, enum rs_constraint_kind kind)
{
	const struct rs_record *record = adding->record;
	size_t end = kind == RS_KEEP_FIRST ? 0 : record->n_units - 1;

	if (record->units[end].region != record->units[adding->own.unit].region)
		return report_impossible(adding,
					 "something in the source that nothing may cross stands between");
	add_pin(adding, kind == RS_KEEP_FIRST ? "comes first" : "comes last");
	rs_constraint_add(adding->list, kind, adding->own.unit, RS_NONE);
	return NULL;
}

/* In one declaration the text fixes what stands where. */
static struct rs_error *check_inside(const struct adding *adding, const struct found *first,
				     const struct found *second)
{
	if (first->member != RS_NONE && second->member != RS_NONE && first->member > second->member)
		return report_impossible(adding, "one declaration holds both, the other way round");
	return NULL;
}

static struct rs_error *add_sequence(const struct adding *adding)
{
	const struct rs_record *record = adding->record;
	bool is_after = adding->asked->how == HOW_AFTER, is_next = adding->asked->how == HOW_NEXT;
	const struct found *first = is_after ? &adding->other : &adding->own;
	const struct found *second = is_after ? &adding->own : &adding->other;
	size_t region = record->units[first->unit].region, other_region = record->units[second->unit].region;

	if (first->unit == second->unit)
		return check_inside(adding, first, second);
	if (region != other_region && !is_next && first->unit < second->unit)
		return NULL;
	if (region != other_region)
		return report_impossible(adding,
					 "something in the source that nothing may cross stands between");
	add_pin(adding, is_next ? "is directly followed by" : is_after ? "stays behind" : "stays before");
	rs_constraint_add(adding->list, is_next ? RS_KEEP_NEXT : RS_KEEP_BEFORE, first->unit, second->unit);
	return NULL;
}

static size_t count_pairs(const struct rs_pin_list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->n_constraints; i++)
		count += list->constraints[i].kind == RS_KEEP_ON_LINE;
	return count;
}

static struct rs_error *add_companions(const struct adding *adding)
{
	const struct rs_member *members = adding->record->members;
	struct rs_constraint *constraint;

	if (adding->own.member == RS_NONE || adding->other.member == RS_NONE)
		return report_impossible(adding, "it is a member in other configurations only");
	if (members[adding->own.member].size_bits == 0 || members[adding->other.member].size_bits == 0)
		return report_impossible(adding, "a member without size lies on no line");
	if (count_pairs(adding->list) == RS_COMPANIONS_MOST_PAIRS)
		return report_impossible(adding, "there are too many pairs already");
	add_pin(adding, "lies on a line with");
	rs_constraint_add(adding->list, RS_KEEP_ON_LINE, adding->own.unit, adding->other.unit);
	constraint = &adding->list->constraints[adding->list->n_constraints - 1];
	constraint->member = adding->own.member;
	constraint->other_member = adding->other.member;
	constraint->line_bytes = adding->line_bytes;
	return NULL;
}

static struct rs_error *add_one(const struct adding *adding)
{
	switch (adding->asked->how) {
	case HOW_FIRST:
		return add_end(adding, RS_KEEP_FIRST);
	case HOW_LAST:
		return add_end(adding, RS_KEEP_LAST);
	case HOW_NEAR:
		return add_companions(adding);
	default:
		return add_sequence(adding);
	}
}

struct rs_error *rs_asked_add(struct rs_session *session, const struct rs_record *record,
			      struct rs_pin_list *list)
{
	for (size_t i = 0; i < session->options.n_asked; i++) {
		struct asked asked;
		struct adding adding = { .record = record,
					 .asked = &asked,
					 .list = list,
					 .line_bytes = session->profile.machine.line_bytes };

		RS_TRY(parse(session->arena, session->options.asked[i], &asked));
		if (!has_both(record, &asked))
			continue;
		find(record, asked.name, &adding.own);
		if (asked.other)
			find(record, asked.other, &adding.other);
		RS_TRY(add_one(&adding));
	}
	return NULL;
}

/* Another one that comes first, or last, whatever is asked: of two the one that stands nearer to the end is
 * that. */
static const struct rs_pin *find_rival(const struct rs_record *record, const struct rs_constraint *own)
{
	for (size_t i = 0; i < record->n_constraints; i++) {
		const struct rs_constraint *other = &record->constraints[i];

		if (other->kind == own->kind && other->unit != own->unit &&
		    record->units[other->unit].region == record->units[own->unit].region &&
		    record->units[other->unit].n_members > 0 && other->pin != RS_NONE)
			return &record->pins[other->pin];
	}
	return NULL;
}

static struct rs_error *check_rivals(const struct rs_record *record)
{
	for (size_t i = 0; i < record->n_constraints; i++) {
		const struct rs_constraint *own = &record->constraints[i];
		const struct rs_pin *pin = own->pin == RS_NONE ? NULL : &record->pins[own->pin];
		const struct rs_pin *rival;

		if (!pin || strcmp(pin->code, "asked") != 0 ||
		    (own->kind != RS_KEEP_FIRST && own->kind != RS_KEEP_LAST))
			continue;
		rival = find_rival(record, own);
		if (rival)
			return rs_error_create(
				RS_ERROR_USAGE, rival->file ? rival->file : record->source->path, rival->line,
				0, "--pin: '%s' cannot come %s: %s (%s)", record->units[own->unit].name,
				own->kind == RS_KEEP_FIRST ? "first" : "last", rival->message, rival->code);
	}
	return NULL;
}

/* What the sources alone ask for. */
static const struct rs_constraint *without_asked(struct rs_arena *arena, const struct rs_record *record,
						 size_t *ret_count)
{
	struct rs_constraint *others = rs_arena_array(arena, struct rs_constraint, record->n_constraints);
	size_t count = 0;

	for (size_t i = 0; i < record->n_constraints; i++) {
		size_t pin = record->constraints[i].pin;

		if (pin == RS_NONE || strcmp(record->pins[pin].code, "asked") != 0)
			others[count++] = record->constraints[i];
	}
	*ret_count = count;
	return others;
}

struct rs_error *rs_asked_check(struct rs_session *session, const struct rs_record *record)
{
	struct rs_record without = *record;

	if (session->options.n_asked == 0)
		return NULL;
	RS_TRY(check_rivals(record));
	without.constraints = without_asked(session->arena, record, &without.n_constraints);
	if (rs_hold_is_possible(session->arena, &without) && !rs_hold_is_possible(session->arena, record))
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "--pin: no order of '%s' keeps all that is asked for and pinned",
				       record->name);
	return NULL;
}

struct rs_error *rs_asked_check_lines(const struct rs_record *record, const struct rs_binding *binding)
{
	for (size_t i = 0; i < record->n_constraints; i++) {
		const struct rs_constraint *constraint = &record->constraints[i];

		if (constraint->kind == RS_KEEP_ON_LINE && !rs_companions_can_meet(record, binding, constraint))
			return rs_error_create(RS_ERROR_USAGE, record->source->path,
					       record->members[constraint->member].line, 0,
					       "--pin: '%s' and '%s' can share no line: with their sizes and "
					       "alignments one of them reaches into another line, at least in "
					       "some of the places in a line where objects begin",
					       record->members[constraint->member].path,
					       record->members[constraint->other_member].path);
	}
	return NULL;
}

void rs_asked_note_unmet(struct rs_session *session, struct rs_record_result *result)
{
	const struct rs_record *record = result->record;
	struct rs_pin *hazards;
	const char *reason;

	if (session->options.n_asked == 0 || result->n_plans > 0 ||
	    rs_permit_check(session->arena, record, result->binding, result->original.plan->order, &reason))
		return;
	hazards = rs_arena_array(session->arena, struct rs_pin, result->n_hazards + 1);
	for (size_t i = 0; i < result->n_hazards; i++)
		hazards[i] = result->hazards[i];
	hazards[result->n_hazards++] = (struct rs_pin) {
		.code = "asked-unmet",
		.strength = RS_PIN_ADVICE,
		.message =
			rs_arena_printf(session->arena,
					"the order as it stands does not keep what is asked (%s), and none was "
					"found that does and is better",
					reason),
		.line = rs_source_position(record->source, record->span.start).line,
		.unit = RS_NONE,
	};
	result->hazards = hazards;
}
