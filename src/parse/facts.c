#include "parse/facts.h"

#include <string.h>

#include "parse/asserting.h"
#include "parse/tu_state.h"

/* --- the question --- */

static void put_span(struct rs_span span, struct rs_builder *out)
{
	rs_wire_put_number(out, span.start);
	rs_wire_put_number(out, span.end);
}

static void put_member(const struct rs_member *member, struct rs_builder *out)
{
	const uint64_t numbers[] = {
		member->parent,
		member->n_inside,
		member->unit,
		member->offset_bits,
		member->size_bits,
		member->align_bytes,
		member->requested_align_bytes,
		member->type_size_bytes,
		member->is_bitfield,
		member->is_aggregate,
		member->is_union,
		member->is_anonymous,
		member->is_flexible,
		member->is_array,
		member->is_atomic,
		member->is_const,
		member->is_volatile,
		member->array_count,
		member->byte,
	};

	rs_wire_put_text(out, member->path);
	rs_wire_put_text(out, member->declaration);
	for (size_t i = 0; i < RS_COUNT_OF(numbers); i++)
		rs_wire_put_number(out, numbers[i]);
}

static void put_unit(const struct rs_unit *unit, struct rs_builder *out)
{
	rs_wire_put_text(out, unit->name);
	rs_wire_put_number(out, unit->origin);
	put_span(unit->span, out);
	put_span(unit->declaration, out);
	rs_wire_put_number(out, unit->first_member);
	rs_wire_put_number(out, unit->n_members);
	rs_wire_put_number(out, unit->region);
	rs_wire_put_number(out, unit->part);
	rs_wire_put_number(out, unit->n_parts);
}

static void put_reasons(const struct rs_record *record, struct rs_builder *out)
{
	rs_wire_put_number(out, record->n_pins);
	for (size_t i = 0; i < record->n_pins; i++) {
		rs_wire_put_text(out, record->pins[i].code);
		rs_wire_put_number(out, record->pins[i].unit);
		rs_wire_put_number(out, record->pins[i].refuses);
	}
	rs_wire_put_number(out, record->n_skipped);
	for (size_t i = 0; i < record->n_skipped; i++)
		put_span(record->skipped[i], out);
}

static void put_record(const struct rs_record *record, struct rs_builder *out)
{
	rs_wire_put_text(out, record->name);
	rs_wire_put_number(out, record->is_typedef);
	rs_wire_put_text(out, record->source->path);
	rs_wire_put_text(out, record->source->realpath);
	rs_wire_put_number(out, record->source->hash);
	put_span(record->span, out);
	put_span(record->body, out);
	rs_wire_put_number(out, record->size_bytes);
	rs_wire_put_number(out, record->align_bytes);
	rs_wire_put_number(out, record->n_members);
	for (size_t i = 0; i < record->n_members; i++)
		put_member(&record->members[i], out);
	rs_wire_put_number(out, record->n_units);
	for (size_t i = 0; i < record->n_units; i++)
		put_unit(&record->units[i], out);
	put_reasons(record, out);
}

void rs_question_put(const struct rs_question *question, struct rs_builder *out)
{
	rs_wire_put_text(out, question->root);
	rs_wire_put_number(out, question->n_records);
	for (size_t i = 0; i < question->n_records; i++)
		put_record(question->records[i], out);
}

/* --- finding --- */

void rs_facts_find(struct rs_tu *tu, const struct rs_question *question, struct rs_arena *arena,
		   struct rs_facts *ret_facts)
{
	struct rs_facts facts = { .has_prelude = tu->has_prelude,
				  .notes = tu->notes.items,
				  .n_notes = tu->notes.n_items,
				  .diagnostics = tu->diagnostics,
				  .n_diagnostics = tu->n_diagnostics,
				  .n_records = question->n_records };

	facts.pins = rs_arena_array(arena, struct rs_pin_list, facts.n_records);
	facts.initializers = rs_arena_array(arena, struct rs_initializer_list, facts.n_records);
	for (size_t i = 0; i < facts.n_records; i++)
		facts.pins[i].arena = facts.initializers[i].arena = arena;
	rs_uses_find(tu, question->records, question->n_records, question->root, facts.pins,
		     facts.initializers);
	facts.asserting = rs_asserting_find(tu, arena, &facts.n_asserting);
	*ret_facts = facts;
}

void rs_facts_fail(struct rs_arena *arena, enum rs_error_code code, const char *path, unsigned line,
		   unsigned column, const char *message, struct rs_facts *ret_facts)
{
	struct rs_error *failure = rs_arena_new(arena, struct rs_error);

	*failure = (struct rs_error) { .code = code,
				       .path = path ? rs_arena_strdup(arena, path) : NULL,
				       .line = line,
				       .column = column,
				       .message = rs_arena_strdup(arena, message) };
	*ret_facts = (struct rs_facts) { .failure = failure };
}

void rs_facts_fail_with(struct rs_arena *arena, const struct rs_error *error, struct rs_facts *ret_facts)
{
	rs_facts_fail(arena, error->code, error->path, error->line, error->column, error->message, ret_facts);
}

/* --- out --- */

static void put_note(const struct rs_note *note, struct rs_builder *out)
{
	rs_wire_put_number(out, note->severity);
	rs_wire_put_text(out, note->path);
	rs_wire_put_number(out, note->line);
	rs_wire_put_number(out, note->column);
	rs_wire_put_text(out, note->message);
}

static void put_diagnostic(const struct rs_diagnostic *diagnostic, struct rs_builder *out)
{
	rs_wire_put_number(out, diagnostic->is_error);
	rs_wire_put_text(out, diagnostic->path);
	rs_wire_put_number(out, diagnostic->line);
	rs_wire_put_number(out, diagnostic->column);
	rs_wire_put_text(out, diagnostic->message);
}

/* Index + 1, so that RS_NONE is 0. */
static void put_index(size_t index, struct rs_builder *out)
{
	rs_wire_put_number(out, index + 1);
}

static void put_pins(const struct rs_pin_list *list, struct rs_builder *out)
{
	const char *file = NULL;

	rs_wire_put_number(out, list->n_pins);
	for (size_t i = 0; i < list->n_pins; i++) {
		const struct rs_pin *pin = &list->pins[i];
		bool is_same = file && pin->file && strcmp(file, pin->file) == 0;

		rs_wire_put_text(out, pin->code);
		rs_wire_put_number(out, pin->strength);
		rs_wire_put_text(out, pin->message);
		rs_wire_put_number(out, is_same);
		if (!is_same)
			rs_wire_put_text(out, pin->file);
		rs_wire_put_number(out, pin->line);
		put_index(pin->unit, out);
		rs_wire_put_number(out, pin->refuses);
		file = pin->file;
	}
	rs_wire_put_number(out, list->n_constraints);
	for (size_t i = 0; i < list->n_constraints; i++) {
		const struct rs_constraint *constraint = &list->constraints[i];

		rs_wire_put_number(out, constraint->kind);
		put_index(constraint->unit, out);
		put_index(constraint->other, out);
		put_index(constraint->pin, out);
	}
}

static size_t index_of_source(const struct rs_facts *facts, const struct rs_source *source)
{
	size_t index = 0;

	for (size_t r = 0; r < facts->n_records; r++)
		for (size_t i = 0; i < facts->initializers[r].n_sources; i++, index++)
			if (facts->initializers[r].sources[i].source == source)
				return index;
	return RS_NONE;
}

static void put_sources(const struct rs_initializer_list *list, struct rs_builder *out)
{
	rs_wire_put_number(out, list->n_sources);
	for (size_t i = 0; i < list->n_sources; i++) {
		const struct rs_source *source = list->sources[i].source;

		rs_wire_put_text(out, source->path);
		rs_wire_put_text(out, source->realpath);
		rs_wire_put_number(out, source->size);
		rs_wire_put_number(out, source->hash);
		rs_wire_put_number(out, list->sources[i].is_generated);
	}
}

static void put_initializer(const struct rs_initializer *initializer, struct rs_builder *out)
{
	put_span(initializer->span, out);
	rs_wire_put_number(out, initializer->lacks_braces);
	rs_wire_put_number(out, initializer->is_designated);
	rs_wire_put_number(out, initializer->has_directive);
	rs_wire_put_text(out, initializer->no_order);
	rs_wire_put_text(out, initializer->no_designators);
	rs_wire_put_number(out, initializer->group);
	put_index(initializer->macro, out);
	rs_wire_put_number(out, initializer->n_values);
	for (size_t i = 0; i < initializer->n_values; i++) {
		put_span(initializer->values[i].span, out);
		put_index(initializer->values[i].member, out);
		rs_wire_put_number(out, initializer->values[i].needs_braces);
	}
	rs_wire_put_number(out, initializer->n_designators);
	for (size_t i = 0; i < initializer->n_designators; i++) {
		put_span(initializer->designators[i].span, out);
		rs_wire_put_text(out, initializer->designators[i].text);
	}
}

static void put_branch(const struct rs_initializer_branch *branch, struct rs_builder *out)
{
	put_span(branch->span, out);
	rs_wire_put_text(out, branch->advice);
	rs_wire_put_number(out, branch->is_read);
	rs_wire_put_number(out, branch->choice);
	rs_wire_put_number(out, branch->n_choices);
}

static void put_initializers(const struct rs_facts *facts, size_t record, struct rs_builder *out)
{
	const struct rs_initializer_list *list = &facts->initializers[record];

	rs_wire_put_number(out, list->n_items);
	for (size_t i = 0; i < list->n_items; i++) {
		const struct rs_initializer *initializer = &list->items[i];

		put_index(index_of_source(facts, initializer->source), out);
		put_initializer(initializer, out);
	}
	rs_wire_put_number(out, list->n_branches);
	for (size_t i = 0; i < list->n_branches; i++) {
		put_index(index_of_source(facts, list->branches[i].source), out);
		put_branch(&list->branches[i], out);
	}
}

static void put_failure(const struct rs_error *failure, struct rs_builder *out)
{
	rs_wire_put_number(out, failure != NULL);
	if (!failure)
		return;
	rs_wire_put_number(out, failure->code);
	rs_wire_put_text(out, failure->path);
	rs_wire_put_number(out, failure->line);
	rs_wire_put_number(out, failure->column);
	rs_wire_put_text(out, failure->message);
}

void rs_facts_put(const struct rs_facts *facts, struct rs_builder *out)
{
	put_failure(facts->failure, out);
	rs_wire_put_number(out, facts->has_prelude);
	rs_wire_put_number(out, facts->n_notes);
	for (size_t i = 0; i < facts->n_notes; i++)
		put_note(&facts->notes[i], out);
	rs_wire_put_number(out, facts->n_diagnostics);
	for (size_t i = 0; i < facts->n_diagnostics; i++)
		put_diagnostic(&facts->diagnostics[i], out);
	rs_wire_put_number(out, facts->n_asserting);
	for (size_t i = 0; i < facts->n_asserting; i++)
		rs_wire_put_text(out, facts->asserting[i]);
	rs_wire_put_number(out, facts->n_records);
	for (size_t i = 0; i < facts->n_records; i++) {
		put_pins(&facts->pins[i], out);
		put_sources(&facts->initializers[i], out);
	}
	for (size_t i = 0; i < facts->n_records; i++)
		put_initializers(facts, i, out);
}

/* --- in --- */

static size_t get_index(struct rs_wire *wire, size_t count)
{
	return (size_t)rs_wire_get_limited(wire, count) - 1;
}

static unsigned get_unsigned(struct rs_wire *wire)
{
	return (unsigned)rs_wire_get_limited(wire, UINT32_MAX);
}

static void get_notes(struct rs_wire *wire, struct rs_arena *arena, struct rs_facts *facts)
{
	size_t count = rs_wire_get_count(wire);
	struct rs_note *notes = rs_arena_array(arena, struct rs_note, count);

	for (size_t i = 0; i < count && !wire->is_broken; i++) {
		notes[i].severity = (enum rs_note_severity)rs_wire_get_limited(wire, RS_NOTE_WARNING);
		notes[i].path = rs_wire_get_text(wire, arena);
		notes[i].line = get_unsigned(wire);
		notes[i].column = get_unsigned(wire);
		notes[i].message = rs_wire_get_string(wire, arena);
	}
	facts->notes = notes;
	facts->n_notes = count;
}

static void get_diagnostics(struct rs_wire *wire, struct rs_arena *arena, struct rs_facts *facts)
{
	size_t count = rs_wire_get_count(wire);
	struct rs_diagnostic *diagnostics = rs_arena_array(arena, struct rs_diagnostic, count);

	for (size_t i = 0; i < count && !wire->is_broken; i++) {
		diagnostics[i].is_error = rs_wire_get_bool(wire);
		diagnostics[i].path = rs_wire_get_text(wire, arena);
		diagnostics[i].line = get_unsigned(wire);
		diagnostics[i].column = get_unsigned(wire);
		diagnostics[i].message = rs_wire_get_string(wire, arena);
	}
	facts->diagnostics = diagnostics;
	facts->n_diagnostics = count;
}

static void get_asserting(struct rs_wire *wire, struct rs_arena *arena, struct rs_facts *facts)
{
	size_t count = rs_wire_get_count(wire);
	const char **paths = rs_arena_array(arena, const char *, count);

	for (size_t i = 0; i < count && !wire->is_broken; i++)
		paths[i] = rs_wire_get_string(wire, arena);
	facts->asserting = paths;
	facts->n_asserting = count;
}

static void get_pin(struct rs_wire *wire, struct rs_pin_list *list, size_t n_units, const char **file)
{
	struct rs_pin *pin = rs_array_push(list->arena, list->pins, list->n_pins, list->pins_capacity);

	pin->code = rs_wire_get_string(wire, list->arena);
	pin->strength = (enum rs_pin_strength)rs_wire_get_limited(wire, RS_PIN_HARD);
	pin->message = rs_wire_get_string(wire, list->arena);
	if (!rs_wire_get_bool(wire))
		*file = rs_wire_get_text(wire, list->arena);
	pin->file = *file;
	pin->line = get_unsigned(wire);
	pin->unit = get_index(wire, n_units);
	pin->refuses = rs_wire_get_bool(wire);
}

static void get_pins(struct rs_wire *wire, struct rs_pin_list *list, size_t n_units)
{
	size_t n_pins = rs_wire_get_count(wire);
	const char *file = NULL;

	for (size_t i = 0; i < n_pins && !wire->is_broken; i++)
		get_pin(wire, list, n_units, &file);
	size_t n_constraints = rs_wire_get_count(wire);
	for (size_t i = 0; i < n_constraints && !wire->is_broken; i++) {
		struct rs_constraint *constraint = rs_array_push(
			list->arena, list->constraints, list->n_constraints, list->constraints_capacity);

		constraint->kind = (enum rs_constraint_kind)rs_wire_get_limited(wire, RS_KEEP_NEXT);
		constraint->unit = get_index(wire, n_units);
		constraint->other = get_index(wire, n_units);
		constraint->pin = get_index(wire, list->n_pins);
		if (constraint->unit == RS_NONE)
			wire->is_broken = true;
	}
}

static void get_sources(struct rs_wire *wire, struct rs_initializer_list *list)
{
	size_t count = rs_wire_get_count(wire);

	for (size_t i = 0; i < count && !wire->is_broken; i++) {
		struct rs_source *source = rs_arena_new(list->arena, struct rs_source);

		source->path = rs_wire_get_string(wire, list->arena);
		source->realpath = rs_wire_get_string(wire, list->arena);
		source->text = "";
		source->size = (size_t)rs_wire_get_number(wire);
		source->hash = rs_wire_get_number(wire);
		*rs_array_push(list->arena, list->sources, list->n_sources, list->sources_capacity) =
			(struct rs_initializer_source) { .source = source,
							 .is_generated = rs_wire_get_bool(wire) };
	}
}

static const struct rs_source *source_at(const struct rs_facts *facts, size_t index)
{
	for (size_t r = 0; r < facts->n_records; r++) {
		if (index < facts->initializers[r].n_sources)
			return facts->initializers[r].sources[index].source;
		index -= facts->initializers[r].n_sources;
	}
	return NULL;
}

static struct rs_span get_span(struct rs_wire *wire, const struct rs_source *source)
{
	struct rs_span span;

	span.start = (size_t)rs_wire_get_limited(wire, source->size);
	span.end = (size_t)rs_wire_get_limited(wire, source->size);
	if (span.start > span.end)
		wire->is_broken = true;
	return span;
}

static void get_values(struct rs_wire *wire, struct rs_arena *arena, struct rs_initializer *initializer)
{
	size_t count = rs_wire_get_count(wire);
	struct rs_initializer_value *values = rs_arena_array(arena, struct rs_initializer_value, count);

	for (size_t i = 0; i < count && !wire->is_broken; i++) {
		values[i].span = get_span(wire, initializer->source);
		values[i].member = get_index(wire, initializer->record->n_members);
		values[i].needs_braces = rs_wire_get_bool(wire);
		if (values[i].member == RS_NONE && !initializer->no_order)
			wire->is_broken = true;
	}
	initializer->values = values;
	initializer->n_values = count;
}

static void get_designators(struct rs_wire *wire, struct rs_arena *arena, struct rs_initializer *initializer)
{
	size_t count = rs_wire_get_count(wire);
	struct rs_text_change *designators = rs_arena_array(arena, struct rs_text_change, count);

	for (size_t i = 0; i < count && !wire->is_broken; i++) {
		designators[i].span = get_span(wire, initializer->source);
		designators[i].text = rs_wire_get_string(wire, arena);
	}
	initializer->designators = designators;
	initializer->n_designators = count;
}

static void get_initializer(struct rs_wire *wire, const struct rs_facts *facts, const struct rs_record *record,
			    struct rs_initializer_list *list)
{
	const struct rs_source *source = source_at(facts, get_index(wire, SIZE_MAX - 1));
	struct rs_initializer initializer = { .source = source, .record = record };

	if (!source) {
		wire->is_broken = true;
		return;
	}
	initializer.span = get_span(wire, source);
	initializer.lacks_braces = rs_wire_get_bool(wire);
	initializer.is_designated = rs_wire_get_bool(wire);
	initializer.has_directive = rs_wire_get_bool(wire);
	initializer.no_order = rs_wire_get_text(wire, list->arena);
	initializer.no_designators = rs_wire_get_text(wire, list->arena);
	initializer.group = (size_t)rs_wire_get_number(wire);
	initializer.macro = get_index(wire, source->size);
	get_values(wire, list->arena, &initializer);
	get_designators(wire, list->arena, &initializer);
	if (!wire->is_broken)
		*rs_array_push(list->arena, list->items, list->n_items, list->items_capacity) = initializer;
}

static void get_branch(struct rs_wire *wire, const struct rs_facts *facts, struct rs_initializer_list *list)
{
	const struct rs_source *source = source_at(facts, get_index(wire, SIZE_MAX - 1));
	struct rs_initializer_branch branch = { .source = source };

	if (!source) {
		wire->is_broken = true;
		return;
	}
	branch.span = get_span(wire, source);
	branch.advice = rs_wire_get_string(wire, list->arena);
	branch.is_read = rs_wire_get_bool(wire);
	branch.choice = rs_wire_get_number(wire);
	branch.n_choices = get_unsigned(wire);
	if (!wire->is_broken)
		*rs_array_push(list->arena, list->branches, list->n_branches, list->branches_capacity) = branch;
}

static char *copy_text(struct rs_arena *arena, const char *text)
{
	return text ? rs_arena_strdup(arena, text) : NULL;
}

static void get_failure(struct rs_wire *wire, struct rs_arena *arena, struct rs_facts *facts)
{
	struct rs_error *failure;

	if (!rs_wire_get_bool(wire))
		return;
	failure = rs_arena_new(arena, struct rs_error);
	failure->code = (enum rs_error_code)rs_wire_get_limited(wire, RS_ERROR_INTERNAL);
	failure->path = copy_text(arena, rs_wire_get_text(wire, arena));
	failure->line = get_unsigned(wire);
	failure->column = get_unsigned(wire);
	failure->message = copy_text(arena, rs_wire_get_string(wire, arena));
	facts->failure = failure;
}

static void get_lists(struct rs_wire *wire, struct rs_arena *arena, const struct rs_question *question,
		      struct rs_facts *facts)
{
	size_t count = facts->n_records;

	facts->pins = rs_arena_array(arena, struct rs_pin_list, count);
	facts->initializers = rs_arena_array(arena, struct rs_initializer_list, count);
	for (size_t i = 0; i < count; i++) {
		facts->pins[i].arena = facts->initializers[i].arena = arena;
		get_pins(wire, &facts->pins[i], question->records[i]->n_units);
		get_sources(wire, &facts->initializers[i]);
	}
	for (size_t r = 0; r < count; r++) {
		size_t n_items = rs_wire_get_count(wire);

		for (size_t i = 0; i < n_items && !wire->is_broken; i++)
			get_initializer(wire, facts, question->records[r], &facts->initializers[r]);
		size_t n_branches = rs_wire_get_count(wire);
		for (size_t i = 0; i < n_branches && !wire->is_broken; i++)
			get_branch(wire, facts, &facts->initializers[r]);
	}
}

bool rs_facts_get(struct rs_wire *wire, struct rs_arena *arena, const struct rs_question *question,
		  struct rs_facts *ret_facts)
{
	*ret_facts = (struct rs_facts) { 0 };
	get_failure(wire, arena, ret_facts);
	ret_facts->has_prelude = rs_wire_get_bool(wire);
	get_notes(wire, arena, ret_facts);
	get_diagnostics(wire, arena, ret_facts);
	get_asserting(wire, arena, ret_facts);
	ret_facts->n_records = (size_t)rs_wire_get_limited(wire, question->n_records);
	if (ret_facts->n_records != (ret_facts->failure ? 0 : question->n_records))
		wire->is_broken = true;
	else
		get_lists(wire, arena, question, ret_facts);
	return rs_wire_is_done(wire);
}
