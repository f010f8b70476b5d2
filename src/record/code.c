#include "record/code.h"

#include <stdlib.h>
#include <string.h>

static void put_place(const struct rs_code_place *place, struct rs_builder *out)
{
	rs_wire_put_text(out, place->file);
	rs_wire_put_number(out, place->line);
	rs_wire_put_number(out, place->column);
}

static void put_function(const struct rs_code_function *function, struct rs_builder *out)
{
	rs_wire_put_text(out, function->name);
	rs_wire_put_text(out, function->key);
	put_place(&function->place, out);
	rs_wire_put_number(out, function->is_shared);
	rs_wire_put_number(out, function->n_blocks);
	for (size_t i = 0; i < function->n_blocks; i++) {
		const struct rs_code_block *block = &function->blocks[i];

		rs_wire_put_number(out, block->parent + 1);
		rs_wire_put_number(out, block->choice + 1);
		rs_wire_put_number(out, block->is_loop);
		rs_wire_put_number(out, block->line);
		put_place(&block->place, out);
	}
	rs_wire_put_number(out, function->n_bases);
	for (size_t i = 0; i < function->n_bases; i++) {
		rs_wire_put_text(out, function->bases[i].text);
		rs_wire_put_number(out, function->bases[i].record);
		rs_wire_put_number(out, function->bases[i].parameter + 1);
	}
	rs_wire_put_number(out, function->n_sites);
	for (size_t i = 0; i < function->n_sites; i++) {
		const struct rs_code_site *site = &function->sites[i];

		put_place(&site->place, out);
		rs_wire_put_text(out, site->name);
		rs_wire_put_text(out, site->macro);
		rs_wire_put_number(out, site->use_line);
		rs_wire_put_number(out, site->use_column);
		rs_wire_put_number(out, site->member + 1);
		rs_wire_put_number(out, site->base);
		rs_wire_put_number(out, site->block);
		rs_wire_put_number(out, site->instance);
		rs_wire_put_number(out, site->does);
	}
	rs_wire_put_number(out, function->n_calls);
	for (size_t i = 0; i < function->n_calls; i++) {
		const struct rs_code_call *call = &function->calls[i];

		put_place(&call->place, out);
		rs_wire_put_text(out, call->callee);
		rs_wire_put_number(out, call->parameter);
		rs_wire_put_number(out, call->base);
		rs_wire_put_number(out, call->block);
		rs_wire_put_number(out, call->instance);
	}
}

void rs_code_put(const struct rs_code *code, struct rs_builder *out)
{
	rs_wire_put_number(out, code->n_functions);
	for (size_t i = 0; i < code->n_functions; i++)
		put_function(&code->functions[i], out);
}

/* --- back again --- */

struct getting {
	struct rs_wire *wire;
	struct rs_arena *arena;
	const struct rs_record *const *records;
	size_t n_records;
};

/* An index below limit, or RS_NONE where that is allowed. */
static size_t get_index(const struct getting *getting, size_t limit)
{
	size_t index = (size_t)rs_wire_get_number(getting->wire);

	if (index >= limit)
		getting->wire->is_broken = true;
	return index < limit ? index : 0;
}

static size_t get_optional(const struct getting *getting, size_t limit)
{
	return (size_t)rs_wire_get_limited(getting->wire, limit) - 1;
}

static struct rs_code_place get_place(const struct getting *getting)
{
	struct rs_code_place place = { .file = rs_wire_get_string(getting->wire, getting->arena) };

	place.line = (unsigned)rs_wire_get_limited(getting->wire, UINT32_MAX);
	place.column = (unsigned)rs_wire_get_limited(getting->wire, UINT32_MAX);
	return place;
}

static void get_blocks(const struct getting *getting, struct rs_code_function *function)
{
	function->n_blocks = rs_wire_get_count(getting->wire);
	function->blocks = rs_arena_array(getting->arena, struct rs_code_block, function->n_blocks);
	for (size_t i = 0; i < function->n_blocks; i++) {
		struct rs_code_block *block = &function->blocks[i];

		block->parent = get_optional(getting, i);
		block->choice = (size_t)rs_wire_get_number(getting->wire) - 1;
		block->is_loop = rs_wire_get_bool(getting->wire);
		block->line = (unsigned)rs_wire_get_limited(getting->wire, UINT32_MAX);
		block->place = get_place(getting);
		if ((i == 0) != (block->parent == RS_NONE))
			getting->wire->is_broken = true;
	}
}

static void get_bases(const struct getting *getting, struct rs_code_function *function)
{
	function->n_bases = rs_wire_get_count(getting->wire);
	function->bases = rs_arena_array(getting->arena, struct rs_code_base, function->n_bases);
	for (size_t i = 0; i < function->n_bases; i++) {
		struct rs_code_base *base = &function->bases[i];

		base->text = rs_wire_get_string(getting->wire, getting->arena);
		base->record = get_index(getting, getting->n_records);
		base->parameter = (size_t)rs_wire_get_number(getting->wire) - 1;
	}
}

static void get_sites(const struct getting *getting, struct rs_code_function *function)
{
	function->n_sites = rs_wire_get_count(getting->wire);
	function->sites = rs_arena_array(getting->arena, struct rs_code_site, function->n_sites);
	for (size_t i = 0; i < function->n_sites; i++) {
		struct rs_code_site *site = &function->sites[i];

		site->place = get_place(getting);
		site->name = rs_wire_get_text(getting->wire, getting->arena);
		site->macro = rs_wire_get_text(getting->wire, getting->arena);
		site->use_line = (unsigned)rs_wire_get_limited(getting->wire, UINT32_MAX);
		site->use_column = (unsigned)rs_wire_get_limited(getting->wire, UINT32_MAX);
		site->member = (size_t)rs_wire_get_number(getting->wire) - 1;
		site->base = get_index(getting, function->n_bases);
		site->block = get_index(getting, function->n_blocks);
		site->instance = get_index(getting, function->n_blocks);
		site->does = (unsigned)rs_wire_get_limited(getting->wire, 15);
		if (getting->wire->is_broken)
			return;
		if (site->member != RS_NONE &&
		    site->member >= getting->records[function->bases[site->base].record]->n_members)
			getting->wire->is_broken = true;
	}
}

static void get_calls(const struct getting *getting, struct rs_code_function *function)
{
	function->n_calls = rs_wire_get_count(getting->wire);
	function->calls = rs_arena_array(getting->arena, struct rs_code_call, function->n_calls);
	for (size_t i = 0; i < function->n_calls; i++) {
		struct rs_code_call *call = &function->calls[i];

		call->place = get_place(getting);
		call->callee = rs_wire_get_string(getting->wire, getting->arena);
		call->parameter = (size_t)rs_wire_get_number(getting->wire);
		call->base = get_index(getting, function->n_bases);
		call->block = get_index(getting, function->n_blocks);
		call->instance = get_index(getting, function->n_blocks);
	}
}

static void get_function(const struct getting *getting, struct rs_code_function *function)
{
	function->name = rs_wire_get_string(getting->wire, getting->arena);
	function->key = rs_wire_get_string(getting->wire, getting->arena);
	function->place = get_place(getting);
	function->is_shared = rs_wire_get_bool(getting->wire);
	get_blocks(getting, function);
	get_bases(getting, function);
	get_sites(getting, function);
	get_calls(getting, function);
}

bool rs_code_get(struct rs_wire *wire, const struct rs_record *const *records, size_t n_records,
		 struct rs_code *code)
{
	const struct getting getting = { wire, code->arena, records, n_records };
	size_t before = code->n_functions, count = rs_wire_get_count(wire);

	for (size_t i = 0; i < count && !wire->is_broken; i++)
		get_function(&getting, rs_array_push(code->arena, code->functions, code->n_functions,
						     code->functions_capacity));
	if (wire->is_broken)
		code->n_functions = before;
	return !wire->is_broken;
}

static int compare(const void *a, const void *b)
{
	const struct rs_code_function *x = (const struct rs_code_function *)a;
	const struct rs_code_function *y = (const struct rs_code_function *)b;
	int order = strcmp(x->key, y->key);

	if (order == 0)
		order = strcmp(x->place.file, y->place.file);
	if (order == 0)
		order = (x->place.line > y->place.line) - (x->place.line < y->place.line);
	/* Of units that read it differently the one that shows most. */
	return order ? order : (x->n_sites < y->n_sites) - (x->n_sites > y->n_sites);
}

void rs_code_settle(struct rs_code *code)
{
	size_t count = 0;

	if (code->n_functions == 0)
		return;
	qsort(code->functions, code->n_functions, sizeof *code->functions, compare);
	for (size_t i = 0; i < code->n_functions; i++) {
		const struct rs_code_function *last = count ? &code->functions[count - 1] : NULL;

		if (!last || strcmp(code->functions[i].key, last->key) != 0 ||
		    strcmp(code->functions[i].place.file, last->place.file) != 0 ||
		    code->functions[i].place.line != last->place.line)
			code->functions[count++] = code->functions[i];
	}
	code->n_functions = count;
}

const struct rs_code_function *rs_code_find(const struct rs_code *code, const char *key)
{
	size_t low = 0, high = code->n_functions;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(code->functions[middle].key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < code->n_functions && strcmp(code->functions[low].key, key) == 0 ? &code->functions[low]
										     : NULL;
}

enum { MOST_LOOPS = 9 }; /* a thousand million is as much as an estimate may say */

double rs_code_estimate(const struct rs_code_function *function, size_t block)
{
	double times = 1;
	unsigned depth = 0;

	for (size_t b = block; b != RS_NONE && depth < MOST_LOOPS; b = function->blocks[b].parent)
		if (function->blocks[b].is_loop) {
			times *= 10;
			depth++;
		}
	return times;
}
