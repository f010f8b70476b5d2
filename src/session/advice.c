#include "session/advice.h"

#include <inttypes.h>
#include <string.h>

#include "session/advice_shrink.h"
#include "session/candidates.h"

enum { NAMES_SHOWN = 4, POINTER_BYTES = 8 };

/* Less than this share of the cost is not worth a word. */
static const double LEAST_SHARE = 0.1;

/* The layout that advice is about. */
struct advising {
	struct rs_arena *arena;
	const struct rs_record *record;
	const struct rs_binding *binding;
	const struct rs_plan_result *layout;
	uint64_t size_bytes, line_bytes;
	struct rs_advice *items;
	size_t n_items, items_capacity;
};

static void add(struct advising *advising, const char *code, const char *message)
{
	*rs_array_push(advising->arena, advising->items, advising->n_items, advising->items_capacity) =
		(struct rs_advice) { code, message };
}

static bool names_member(const struct advising *advising, const bool *named, size_t member)
{
	return !named[member] && advising->record->members[member].path[0];
}

/* The members that writers fight over; the sum of what it costs is handed back. */
static double append_fought_over(const struct advising *advising, struct rs_builder *names)
{
	bool *named = rs_arena_array(advising->arena, bool, advising->record->n_members);
	const struct rs_plan_result *layout = advising->layout;
	size_t count = 0;
	double sum = 0;

	for (size_t i = 0; i < layout->n_lines; i++) {
		const struct rs_line_report *line = &layout->lines[i];

		sum += line->true_ns;
		for (size_t w = 0; line->true_ns > 0 && w < line->n_writers; w++) {
			size_t member = line->writers[w];

			if (!names_member(advising, named, member))
				continue;
			named[member] = true;
			if (count++ < NAMES_SHOWN)
				rs_builder_printf(names, "%s%s", count > 1 ? ", " : "",
						  advising->record->members[member].path);
		}
	}
	if (count > NAMES_SHOWN)
		rs_builder_printf(names, " and %zu more", count - NAMES_SHOWN);
	return sum;
}

static void advise_sharding(struct advising *advising)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder names = { 0 };
	double true_ns = append_fought_over(advising, &names), cost_ns = advising->layout->plan->cost_ns;

	if (names.length > 0 && true_ns >= LEAST_SHARE * cost_ns)
		add(advising, "true-sharing",
		    rs_arena_printf(advising->arena,
				    "%.1f of %.1f ns are true sharing of %s, which no order removes: count per "
				    "CPU, shard, or give each CPU its own copy",
				    true_ns, cost_ns, names.data));
}

/* What permission a plan lacks that could take more room; NULL: none. */
static const char *find_lacking(const struct rs_binding *binding)
{
	if (!(binding->allow & (RS_ALLOW_ALIGN | RS_ALLOW_PAD)))
		return "\"allow\": [\"align\", \"grow\"]";
	return binding->max_size == 0 && !(binding->allow & RS_ALLOW_GROW) ? "\"allow\": [\"grow\"]" : NULL;
}

static void advise_room(struct advising *advising, const struct rs_record_result *of)
{
	const struct rs_plan *plan = advising->layout->plan;
	const char *lacking = find_lacking(of->binding);
	struct rs_candidates_room room;

	if (!lacking || of->verdict == RS_VERDICT_REFUSED ||
	    !rs_candidates_find_room(advising->arena, of->record, of->cost, plan,
				     (uint32_t)advising->line_bytes, &room) ||
	    room.cost_ns > (1 - LEAST_SHARE) * plan->cost_ns)
		return;
	add(advising, "room",
	    rs_arena_printf(
		    advising->arena,
		    "with '%s' at the beginning of a line the cost is %.1f ns instead of "
		    "%.1f, for %" PRIu64 " bytes instead of %" PRIu64 "; %s in the profile permits that",
		    room.field, room.cost_ns, plan->cost_ns, room.size_bytes, plan->size_bytes, lacking));
}

static uint64_t count_hot_bytes(const struct advising *advising)
{
	const struct rs_record *record = advising->record;
	bool *hot = rs_arena_array(advising->arena, bool, advising->size_bytes);
	uint64_t count = 0;

	for (size_t p = 0; p < advising->binding->n_paths; p++) {
		const struct rs_bound_path *path = &advising->binding->paths[p];

		for (size_t i = 0; path->rate > 0 && i < path->n_accesses; i++) {
			size_t member = path->accesses[i].member;
			uint64_t start = advising->layout->plan->offset_bits[member];
			uint64_t end = (start + record->members[member].size_bits + 7) / 8;

			for (uint64_t b = start / 8; b < end && b < advising->size_bytes; b++)
				hot[b] = true;
		}
	}
	for (uint64_t b = 0; b < advising->size_bytes; b++)
		count += hot[b];
	return count;
}

static uint64_t lines_of(const struct advising *advising, uint64_t bytes)
{
	return (bytes + advising->line_bytes - 1) / advising->line_bytes;
}

/* Only where it is said that there are many: one object's cold lines hurt nobody. */
static void advise_splitting(struct advising *advising)
{
	const struct rs_binding *binding = advising->binding;

	if (binding->instances < 2 && binding->placement.kind != RS_PLACE_ARRAY)
		return;
	uint64_t hot = count_hot_bytes(advising), left = hot + POINTER_BYTES, size = advising->size_bytes;
	if (hot == 0 || lines_of(advising, left) >= lines_of(advising, size))
		return;
	add(advising, "hot-cold-split",
	    rs_arena_printf(advising->arena,
			    "paths use %" PRIu64 " of %" PRIu64
			    " bytes: with the other fields behind a pointer "
			    "an object takes %" PRIu64 " lines instead of %" PRIu64
			    ", and who needs them one more access",
			    hot, size, lines_of(advising, left), lines_of(advising, size)));
}

/* What the layout costs when each element begins a line. */
static double cost_apart(const struct advising *advising)
{
	struct rs_binding apart = *advising->binding;
	const struct rs_plan *plan = advising->layout->plan;

	apart.placement = (struct rs_placement) { .kind = RS_PLACE_LINE_ALIGNED };
	return rs_cost_layout(rs_cost_create(advising->arena, &apart), plan->offset_bits, plan->size_bytes);
}

static void advise_element_padding(struct advising *advising)
{
	uint64_t size = advising->size_bytes, padded = lines_of(advising, size) * advising->line_bytes;
	double cost_ns = advising->layout->plan->cost_ns, apart_ns;

	if (advising->binding->placement.kind != RS_PLACE_ARRAY || size == padded)
		return;
	apart_ns = cost_apart(advising);
	if (apart_ns > (1 - LEAST_SHARE) * cost_ns)
		return;
	add(advising, "padded-elements",
	    rs_arena_printf(advising->arena,
			    "elements of %" PRIu64
			    " bytes share lines with their neighbours: padded to %" PRIu64
			    " bytes and aligned the cost is %.1f ns instead of %.1f",
			    size, padded, apart_ns, cost_ns));
}

static size_t count_cpus(const struct advising *advising, const struct rs_bound_path *path)
{
	size_t count = 0;

	for (size_t c = 0; c < advising->binding->n_cpus; c++)
		count += path->shares[c] > 0;
	return count;
}

/* Most CPUs that one path which writes the member runs on. */
static size_t count_writers(const struct advising *advising, size_t member)
{
	size_t most = 0;

	for (size_t p = 0; p < advising->binding->n_paths; p++) {
		const struct rs_bound_path *path = &advising->binding->paths[p];

		for (size_t i = 0; path->rate > 0 && i < path->n_accesses; i++)
			if (path->accesses[i].member == member && path->accesses[i].writes) {
				size_t cpus = count_cpus(advising, path);

				most = cpus > most ? cpus : most;
			}
	}
	return most;
}

/* Whether each CPU has its own element is not in the profile: it is said with an if. */
static void advise_thread_arrays(struct advising *advising)
{
	const struct rs_record *record = advising->record;

	for (size_t m = 0; m < record->n_members; m++) {
		const struct rs_member *member = &record->members[m];
		size_t n_writers = member->is_array && member->array_count > 1 ? count_writers(advising, m) : 0;

		if (n_writers < 2 || member->array_count < n_writers)
			continue;
		uint64_t element = member->size_bits / 8 / member->array_count;
		if (element >= advising->line_bytes)
			continue;
		add(advising, "per-thread-array",
		    rs_arena_printf(advising->arena,
				    "%zu CPUs write '%s', %" PRIu64 " elements of %" PRIu64
				    " bytes: if each has its own, pad them to a line (%" PRIu64 " bytes)",
				    n_writers, member->path, member->array_count, element,
				    advising->line_bytes));
	}
}

static void advise_shrinking(struct advising *advising, const struct rs_record_result *result)
{
	size_t count;
	const char *const *messages = rs_advice_shrink_find(advising->arena, result, advising->layout, &count);

	for (size_t i = 0; i < count; i++)
		add(advising, "type-shrink", messages[i]);
}

void rs_advice_find(struct rs_session *session, struct rs_record_result *result)
{
	const struct rs_plan_result *layout =
		result->pick == RS_NONE ? &result->original : &result->plans[result->pick];
	const struct rs_record_result *of = layout->base ? layout->base : result;
	struct advising advising = { .arena = session->arena,
				     .record = of->record,
				     .binding = of->binding,
				     .layout = layout,
				     .size_bytes = layout->plan->size_bytes };

	if (!of->binding || !of->cost)
		return;
	advising.line_bytes = of->binding->machine.line_bytes;
	advise_sharding(&advising);
	advise_room(&advising, of);
	advise_splitting(&advising);
	advise_element_padding(&advising);
	advise_thread_arrays(&advising);
	advise_shrinking(&advising, result);
	result->advice = advising.items;
	result->n_advice = advising.n_items;
}
