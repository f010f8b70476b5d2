#include <string.h>

#include "profile/collect_internal.h"

enum { MOST_SITES = 24 }; /* of a function that counts as a part of its callers */

/* How many sites of the same name a macro's use has before this one. */
static size_t ordinal_of(const struct rs_code_function *function, size_t index)
{
	const struct rs_code_site *site = &function->sites[index];
	size_t ordinal = 0;

	if (!site->macro && !site->use_line)
		return 0;
	for (size_t i = index; i-- > 0;) {
		const struct rs_code_site *other = &function->sites[i];

		if (other->place.line == site->place.line && other->place.column == site->place.column &&
		    other->name && strcmp(other->name, site->name) == 0)
			ordinal++;
	}
	return ordinal;
}

static double count_place(const struct rs_collecting *collecting, const struct rs_code_function *function,
			  const struct rs_code_place *place)
{
	const struct rs_coverage_spot spot = { .place = *place };
	double count = 0;

	return rs_coverage_count(collecting->asked->coverage, function, &spot, &count) ? count : 0;
}

static void count_sites(const struct rs_collecting *collecting, struct rs_counted *counted)
{
	const struct rs_code_function *function = counted->function;

	for (size_t i = 0; i < function->n_sites; i++) {
		const struct rs_code_site *site = &function->sites[i];
		const struct rs_coverage_spot spot = { site->place, site, ordinal_of(function, i) };
		double count = 0;

		counted->is_known[i] = rs_coverage_count(collecting->asked->coverage, function, &spot, &count);
		counted->sites[i] = counted->is_known[i] ? count : 0;
	}
}

static void count_function(const struct rs_collecting *collecting, struct rs_counted *counted)
{
	const struct rs_code_function *function = counted->function;
	bool is_static = collecting->asked->coverage->kind == RS_COVERAGE_NONE;

	if (is_static)
		counted->entries = 1;
	else if (!rs_coverage_entries(collecting->asked->coverage, function, &counted->entries))
		counted->entries = 0;
	if (!is_static)
		count_sites(collecting, counted);
	for (size_t i = 0; is_static && i < function->n_sites; i++) {
		counted->sites[i] = rs_code_estimate(function, function->sites[i].block);
		counted->is_known[i] = true;
	}
	for (size_t i = 0; i < function->n_calls; i++)
		counted->calls[i] = is_static ? rs_code_estimate(function, function->calls[i].block)
					      : count_place(collecting, function, &function->calls[i].place);
	for (size_t i = 0; i < function->n_blocks; i++)
		counted->blocks[i] = is_static ? rs_code_estimate(function, i)
					       : count_place(collecting, function, &function->blocks[i].place);
	if (!is_static)
		counted->blocks[0] = counted->entries;
}

/* --- callees --- */

static size_t base_of_parameter(const struct rs_code_function *function, size_t parameter, size_t record)
{
	for (size_t i = 0; i < function->n_bases; i++)
		if (function->bases[i].parameter == parameter && function->bases[i].record == record)
			return i;
	return RS_NONE;
}

/* Static functions of one name in several files share a key: the one of the caller's file is meant. */
static struct rs_counted *find_callee(const struct rs_collecting *collecting,
				      const struct rs_code_function *caller, const char *key)
{
	const struct rs_code_function *first = rs_code_find(collecting->asked->code, key);
	const struct rs_code *code = collecting->asked->code;
	size_t at = first ? (size_t)(first - code->functions) : code->n_functions, chosen = at;

	for (size_t i = at; i < code->n_functions && strcmp(code->functions[i].key, key) == 0; i++)
		if (strcmp(code->functions[i].place.file, caller->place.file) == 0)
			chosen = i;
	return chosen < code->n_functions ? &collecting->functions[chosen] : NULL;
}

static bool calls_itself(const struct rs_code_function *function)
{
	for (size_t i = 0; i < function->n_calls; i++)
		if (strcmp(function->calls[i].callee, function->key) == 0)
			return true;
	return false;
}

static void find_callees(const struct rs_collecting *collecting, struct rs_counted *counted)
{
	const struct rs_code_function *function = counted->function;
	struct rs_counted **callees = rs_arena_array(collecting->arena, struct rs_counted *, function->n_calls);

	for (size_t i = 0; i < function->n_calls; i++) {
		const struct rs_code_call *call = &function->calls[i];
		struct rs_counted *callee = find_callee(collecting, function, call->callee);

		if (!callee || callee == counted || callee->function->n_sites > MOST_SITES ||
		    calls_itself(callee->function) || callee->entries <= 0)
			continue;
		size_t base = base_of_parameter(callee->function, call->parameter,
						function->bases[call->base].record);
		if (base == RS_NONE)
			continue;
		callees[i] = callee;
		callee->taken[base] += counted->calls[i];
	}
	counted->callees = callees;
}

void rs_collect_count(struct rs_collecting *collecting)
{
	const struct rs_code *code = collecting->asked->code;
	struct rs_arena *arena = collecting->arena;

	collecting->functions = rs_arena_array(arena, struct rs_counted, code->n_functions);
	collecting->n_functions = code->n_functions;
	for (size_t i = 0; i < code->n_functions; i++) {
		const struct rs_code_function *function = &code->functions[i];

		collecting->functions[i] = (struct rs_counted) {
			.function = function,
			.sites = rs_arena_array(arena, double, function->n_sites),
			.is_known = rs_arena_array(arena, bool, function->n_sites),
			.calls = rs_arena_array(arena, double, function->n_calls),
			.blocks = rs_arena_array(arena, double, function->n_blocks),
			.taken = rs_arena_array(arena, double, function->n_bases),
		};
		count_function(collecting, &collecting->functions[i]);
	}
	for (size_t i = 0; i < code->n_functions; i++)
		find_callees(collecting, &collecting->functions[i]);
}
