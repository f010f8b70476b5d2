#include "plan/fluid_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/rising.h"

typedef rs_fluid_family family;
enum { MOST_KEPT = 60, MOST_TYPES = 1024, MOST_FAMILIES = 100, MOST_FIXED_LINES = 1 << 14, ALL_FAMILIES = 7 };

/* A signature with what is there of it. */
struct fluid {
	uint32_t signature;
	uint8_t *levels; /* of each path: 0 nothing, 1 reads, 2 writes */
	uint64_t bits;
	size_t n_touches;
	double heat;
};

/* What of a touch is not on a line that its atom always covers alone. */
struct part {
	uint64_t bits; /* its own */
	bool is_fixed; /* nothing is */
};

struct rs_fluid_maker {
	struct rs_arena *arena;
	struct rs_place *place;
	const struct rs_problem *problem;
	const struct rs_cost *cost;
	size_t n_paths;
	struct fluid *items;
	size_t n_items;
	bool is_complete;
	struct rs_fluid_set *sets;
	size_t n_sets;
	struct rs_fluid_kind *kinds;
	size_t n_kinds, kinds_capacity;
	uint64_t crossing_bits; /* largest member that may lie across a border */
	family *families;
	size_t n_families;
	struct part **parts; /* of each atom's touches */
	double fixed_ns;     /* what the lines cost that one atom covers alone, wherever it is put */
	uint16_t *counts;    /* scratch */
	bool *writes;
	uint8_t *levels;
};

/* Bytes of the atom that belong to this touch and none before it. */
static uint64_t own_bits(const struct rs_atom *atom, size_t touch)
{
	const struct rs_touch *own = &atom->touches[touch];
	uint64_t start = own->inside_bits, end = start + own->size_bits;

	for (size_t i = 0; i < touch; i++) {
		const struct rs_touch *before = &atom->touches[i];

		if (before->top == own->top && before->inside_bits + before->size_bits > start)
			start = before->inside_bits + before->size_bits;
	}
	return end > start ? end - start : 0;
}

/* Whether the atom can begin at the beginning of a line only. */
static bool is_on_line(const struct rs_fluid_maker *all, size_t atom)
{
	const struct rs_problem *problem = all->problem;
	uint64_t align_bits = (uint64_t)problem->atoms[atom].tops[0]->align_bytes * 8;

	if (all->place->n_bases != 1 || all->place->bases[0].offset_bytes != 0 ||
	    problem->atoms[atom].least_bits > MOST_FIXED_LINES * all->place->line_bits)
		return false;
	if (align_bits % all->place->line_bits == 0)
		return true;
	for (size_t other = 0; other < problem->n_atoms; other++)
		if (other != atom && problem->atoms[atom].region >= problem->atoms[other].region &&
		    !rs_problem_precedes(problem, atom, other))
			return false;
	return true;
}

/* The lines that an atom covers alone, from the beginning of its first one. */
struct cover {
	const struct rs_atom *atom;
	uint64_t *starts, *ends; /* of touches */
	uint64_t last;           /* where the last line ends */
};

static double cost_fixed_line(struct rs_fluid_maker *all, const struct cover *cover, uint64_t line)
{
	uint32_t *signatures = (uint32_t *)rs_alloc((cover->atom->n_touches + 1) * sizeof *signatures);
	uint64_t bits = all->place->line_bits;
	size_t count = 0;
	double cost;

	for (size_t i = 0; i < cover->atom->n_touches; i++)
		if (cover->starts[i] < line + bits && (cover->ends[i] > line || cover->starts[i] >= line))
			signatures[count++] = cover->atom->touches[i].signature;
	cost = count ? rs_contents_compute(all->place->contents, all->problem->cost, signatures, count) : 0;
	free(signatures);
	return cost;
}

static void fix_lines(struct rs_fluid_maker *all, size_t atom, const struct cover *cover)
{
	for (uint64_t line = 0; line < cover->last; line += all->place->line_bits)
		all->fixed_ns += cost_fixed_line(all, cover, line);
	for (size_t i = 0; i < cover->atom->n_touches; i++) {
		uint64_t start = cover->starts[i], end = cover->ends[i], outside = 0;

		if (end > cover->last)
			outside = end - (start > cover->last ? start : cover->last);
		all->parts[atom][i].is_fixed = start < cover->last && outside == 0;
		if (outside < all->parts[atom][i].bits)
			all->parts[atom][i].bits = outside;
	}
}

static void find_fixed_of(struct rs_fluid_maker *all, size_t index)
{
	const struct rs_atom *atom = &all->problem->atoms[index];
	struct cover cover = { .atom = atom };

	cover.starts = (uint64_t *)rs_alloc(2 * atom->n_touches * sizeof *cover.starts);
	cover.ends = cover.starts + atom->n_touches;
	cover.last = rs_place_spread(all->place, atom, 0, 0, cover.starts, cover.ends);
	cover.last -= cover.last % all->place->line_bits;
	fix_lines(all, index, &cover);
	free(cover.starts);
}

static void find_fixed(struct rs_fluid_maker *all)
{
	const struct rs_problem *problem = all->problem;

	all->parts = rs_arena_array(all->arena, struct part *, problem->n_atoms);
	for (size_t a = 0; a < problem->n_atoms; a++) {
		const struct rs_atom *atom = &problem->atoms[a];

		all->parts[a] = rs_arena_array(all->arena, struct part, atom->n_touches);
		for (size_t i = 0; i < atom->n_touches; i++)
			all->parts[a][i].bits = own_bits(atom, i);
		if (atom->n_touches && is_on_line(all, a))
			find_fixed_of(all, a);
	}
}

static void count_touches(struct rs_fluid_maker *all)
{
	const struct rs_problem *problem = all->problem;

	for (size_t a = 0; a < problem->n_atoms; a++)
		for (size_t i = 0; i < problem->atoms[a].n_touches; i++) {
			struct fluid *item = &all->items[problem->atoms[a].touches[i].signature];

			item->n_touches += !all->parts[a][i].is_fixed;
			item->bits += all->parts[a][i].bits;
		}
}

static void fill_items(struct rs_fluid_maker *all)
{
	const struct rs_problem *problem = all->problem;

	all->items = rs_arena_array(all->arena, struct fluid, problem->n_signatures);
	for (uint32_t s = 0; s < problem->n_signatures; s++) {
		const struct rs_signature *signature = &problem->signatures[s];
		struct fluid *item = &all->items[s];

		*item = (struct fluid) { .signature = s, .heat = signature->heat };
		item->levels = rs_arena_array(all->arena, uint8_t, all->n_paths);
		for (size_t i = 0; i < signature->n_uses; i++)
			item->levels[signature->uses[i].path] = signature->uses[i].writes ? 2 : 1;
	}
	count_touches(all);
	for (uint32_t s = 0; s < problem->n_signatures; s++)
		if (all->items[s].n_touches)
			all->items[all->n_items++] = all->items[s];
}

static int compare_items(const void *a, const void *b)
{
	const struct fluid *x = (const struct fluid *)a, *y = (const struct fluid *)b;

	if (x->heat != y->heat)
		return x->heat > y->heat ? -1 : 1;
	if (x->bits != y->bits)
		return x->bits > y->bits ? -1 : 1;
	return x->signature < y->signature ? -1 : 1;
}

static bool covers(const struct rs_fluid_maker *all, const uint8_t *levels, const uint8_t *less)
{
	for (size_t p = 0; p < all->n_paths; p++)
		if (less[p] > levels[p])
			return false;
	return true;
}

/* All that lies on a line with these, as far as the paths go. */
static family close_family(struct rs_fluid_maker *all, family members, size_t n_items)
{
	memset(all->levels, 0, all->n_paths);
	for (family rest = members; rest; rest &= rest - 1)
		for (size_t p = 0; p < all->n_paths; p++) {
			uint8_t level = all->items[__builtin_ctzll(rest)].levels[p];

			all->levels[p] = all->levels[p] < level ? level : all->levels[p];
		}
	for (size_t i = 0; i < n_items; i++)
		if (covers(all, all->levels, all->items[i].levels))
			members |= (family)1 << i;
	return members;
}

static bool has_set(const struct rs_fluid_maker *all, size_t n_sets, family members)
{
	for (size_t s = 0; s < n_sets; s++)
		if (all->sets[s].members == members)
			return true;
	return false;
}

/* Sets with the item at `index` in addition; false, and nothing done, when they would be too many. */
static bool add_sets(struct rs_fluid_maker *all, size_t index)
{
	size_t n_before = all->n_sets, count = n_before;
	family own = (family)1 << index;

	for (size_t s = 0; s <= n_before; s++) {
		family with = close_family(all, own | (s < n_before ? all->sets[s].members : 0), index + 1);

		if (has_set(all, count, with))
			continue;
		if (count == MOST_TYPES)
			return false;
		all->sets[count++].members = with;
	}
	/* Sets of before that hold its levels without it do not exist any more. */
	all->n_sets = 0;
	for (size_t s = 0; s < count; s++) {
		family closed = close_family(all, all->sets[s].members, index + 1);

		if (!has_set(all, all->n_sets, closed))
			all->sets[all->n_sets++].members = closed;
	}
	return true;
}

static void make_sets(struct rs_fluid_maker *all)
{
	size_t n_kept = 0, n_all = all->n_items;

	all->sets = rs_arena_array(all->arena, struct rs_fluid_set, RS_FLUID_MOST_SETS);
	for (size_t i = 0; i < n_all && n_kept < MOST_KEPT; i++) {
		struct fluid item = all->items[i];

		all->items[n_kept] = item;
		n_kept += add_sets(all, n_kept);
	}
	all->n_items = n_kept;
	all->is_complete = n_kept == n_all;
}

static bool may_cross(const struct rs_fluid_maker *all, const struct rs_member *top)
{
	for (size_t b = 0; b < all->place->n_bases; b++)
		if (all->place->bases[b].offset_bytes % top->align_bytes != 0)
			return true;
	return top->size_bits > (uint64_t)top->align_bytes * 8;
}

static size_t find_item(const struct rs_fluid_maker *all, uint32_t signature)
{
	for (size_t i = 0; i < all->n_items; i++)
		if (all->items[i].signature == signature)
			return i;
	return all->n_items;
}

static void add_kind(struct rs_fluid_maker *all, size_t item, uint64_t bits)
{
	size_t k = 0;

	while (k < all->n_kinds && (all->kinds[k].item != item || all->kinds[k].bits != bits))
		k++;
	if (k == all->n_kinds)
		*rs_array_push(all->arena, all->kinds, all->n_kinds, all->kinds_capacity) =
			(struct rs_fluid_kind) { .item = item, .bits = bits, .levels = all->items[item].levels };
	all->kinds[k].count++;
}

static int compare_kinds(const void *a, const void *b)
{
	const struct rs_fluid_kind *x = (const struct rs_fluid_kind *)a, *y = (const struct rs_fluid_kind *)b;

	if (x->bits != y->bits)
		return x->bits < y->bits ? -1 : 1;
	return x->item < y->item ? -1 : x->item > y->item;
}

static void make_kinds(struct rs_fluid_maker *all)
{
	const struct rs_problem *problem = all->problem;

	for (size_t a = 0; a < problem->n_atoms; a++)
		for (size_t i = 0; i < problem->atoms[a].n_touches; i++) {
			const struct rs_touch *touch = &problem->atoms[a].touches[i];
			size_t item = find_item(all, touch->signature);

			if (item == all->n_items || all->parts[a][i].is_fixed)
				continue;
			add_kind(all, item, all->parts[a][i].bits);
			if (may_cross(all, problem->atoms[a].tops[touch->top]) &&
			    all->crossing_bits < touch->size_bits)
				all->crossing_bits = touch->size_bits;
		}
	if (all->n_kinds)
		qsort(all->kinds, all->n_kinds, sizeof *all->kinds, compare_kinds);
}

/* By the first touch that is kept. */
static size_t *find_kinds_of_atoms(const struct rs_fluid_maker *all)
{
	size_t *kinds = rs_arena_array(all->arena, size_t, all->problem->n_atoms);

	for (size_t a = 0; a < all->problem->n_atoms; a++) {
		const struct rs_atom *atom = &all->problem->atoms[a];

		kinds[a] = RS_NONE;
		for (size_t i = 0; i < atom->n_touches && kinds[a] == RS_NONE; i++) {
			size_t item = find_item(all, atom->touches[i].signature);

			for (size_t k = 0; k < all->n_kinds; k++)
				if (!all->parts[a][i].is_fixed && all->kinds[k].item == item &&
				    all->kinds[k].bits == all->parts[a][i].bits)
					kinds[a] = k;
		}
	}
	return kinds;
}

/* How many of the members that the path uses can have a part in one line with such a set. */
static size_t count_most_uses(const struct rs_fluid_maker *all, size_t path, family members)
{
	uint64_t room = all->place->line_bits + 2 * all->crossing_bits;
	size_t count = 0;

	for (size_t k = 0; k < all->n_kinds; k++) {
		const struct rs_fluid_kind *kind = &all->kinds[k];
		size_t n = kind->count;

		if (!(members >> kind->item & 1) || !all->items[kind->item].levels[path])
			continue;
		n = kind->bits * n > room ? room / kind->bits : n;
		room -= n * kind->bits;
		count += n;
	}
	return count;
}

static double cost_counts(struct rs_fluid_maker *all)
{
	return rs_cost_line(all->cost, all->counts, all->writes);
}

/* A line with the least uses. */
static void count_least(struct rs_fluid_maker *all, const struct rs_fluid_set *set)
{
	close_family(all, set->members, 0);
	for (size_t p = 0; p < all->n_paths; p++) {
		all->counts[p] = all->levels[p] ? set->least[p] : 0;
		all->writes[p] = all->levels[p] == 2;
	}
}

static double cost_uses(struct rs_fluid_maker *all, size_t path, uint16_t n_uses)
{
	uint16_t before = all->counts[path];
	double cost;

	all->counts[path] = n_uses;
	cost = cost_counts(all);
	all->counts[path] = before;
	return cost;
}

/* What each use of a path beyond the least costs at least: the chord. */
static double find_slope(struct rs_fluid_maker *all, const struct rs_fluid_set *set, double least_ns,
			 size_t path)
{
	if (!all->counts[path] || set->most[path] <= set->least[path])
		return 0;
	return fmax(0, cost_uses(all, path, set->most[path]) - least_ns) / (set->most[path] - set->least[path]);
}

static void cost_set(struct rs_fluid_maker *all, struct rs_fluid_set *set)
{
	double *slopes = (double *)rs_alloc((all->n_paths + 1) * sizeof *slopes), sum = 0, least_ns, share;

	count_least(all, set);
	least_ns = cost_counts(all);
	for (size_t p = 0; p < all->n_paths; p++) {
		slopes[p] = find_slope(all, set, least_ns, p);
		sum += slopes[p] * set->least[p];
	}
	share = sum > least_ns ? least_ns / sum : 1;
	set->cost_ns = least_ns - share * sum;
	for (size_t i = 0; i < all->n_items; i++) {
		set->use_ns[i] = 0;
		set->room[i] = UINT16_MAX;
		for (size_t p = 0; p < all->n_paths; p++) {
			if (!all->items[i].levels[p])
				continue;
			set->use_ns[i] += share * slopes[p];
			set->room[i] = set->most[p] < set->room[i] ? set->most[p] : set->room[i];
		}
	}
	free(slopes);
}

static void init_set(struct rs_fluid_maker *all, size_t index)
{
	struct rs_fluid_set *set = &all->sets[index];

	set->type = index;
	set->least = rs_arena_array(all->arena, uint16_t, all->n_paths);
	set->most = rs_arena_array(all->arena, uint16_t, all->n_paths);
	set->room = rs_arena_array(all->arena, uint16_t, all->n_items);
	set->use_ns = rs_arena_array(all->arena, double, all->n_items);
	for (size_t p = 0; p < all->n_paths; p++) {
		size_t most = count_most_uses(all, p, set->members);

		set->least[p] = 1;
		set->most[p] = (uint16_t)(most < 1 ? 1 : most < UINT16_MAX ? most : UINT16_MAX);
	}
	cost_set(all, set);
}

static void add_family(struct rs_fluid_maker *all, family members)
{
	for (size_t f = 0; f < all->n_families; f++)
		if (all->families[f] == members)
			return;
	if (members && all->n_families < MOST_FAMILIES)
		all->families[all->n_families++] = members;
}

/* What a path uses, what it writes. */
static family find_level(const struct rs_fluid_maker *all, size_t path, uint8_t level)
{
	family members = 0;

	for (size_t i = 0; i < all->n_items; i++)
		if (all->items[i].levels[path] >= level)
			members |= (family)1 << i;
	return members;
}

static void add_unions(struct rs_fluid_maker *all)
{
	size_t n_single = all->n_families;

	for (size_t a = 0; a < n_single; a++)
		for (size_t b = 0; b < a; b++) {
			add_family(all, all->families[a] | all->families[b]);
			add_family(all, all->families[a] & all->families[b]);
		}
}

static void make_families(struct rs_fluid_maker *all)
{
	all->families = rs_arena_array(all->arena, family, MOST_FAMILIES);
	add_family(all, ((family)1 << all->n_items) - 1);
	for (size_t p = 0; p < all->n_paths; p++) {
		add_family(all, find_level(all, p, 1));
		add_family(all, find_level(all, p, 2));
	}
	for (size_t i = 0; i < all->n_items; i++)
		add_family(all, (family)1 << i);
	for (family f = 1; all->n_items <= ALL_FAMILIES && f < (family)1 << all->n_items; f++)
		add_family(all, f);
	add_unions(all);
}

static void fill_model(struct rs_fluid_maker *all, struct rs_fluid_model *model)
{
	*model = (struct rs_fluid_model) { .maker = all,
					   .fixed_ns = all->fixed_ns,
					   .n_paths = all->n_paths,
					   .n_kept = all->n_items,
					   .is_complete = all->is_complete,
					   .line_bits = all->place->line_bits,
					   .sets = all->sets,
					   .n_sets = all->n_sets,
					   .n_types = all->n_sets,
					   .kinds = all->kinds,
					   .n_kinds = all->n_kinds,
					   .kind_of_atom = find_kinds_of_atoms(all),
					   .families = all->families,
					   .n_families = all->n_families };
	model->item_bits = rs_arena_array(all->arena, uint64_t, all->n_items);
	for (size_t i = 0; i < all->n_items; i++)
		model->item_bits[i] = all->items[i].bits;
}

struct rs_fluid_model *rs_fluid_model_create(struct rs_arena *arena, struct rs_place *place)
{
	struct rs_fluid_maker *all = rs_arena_new(arena, struct rs_fluid_maker);
	struct rs_fluid_model *model = rs_arena_new(arena, struct rs_fluid_model);

	*all = (struct rs_fluid_maker) { .arena = arena, .place = place, .problem = place->problem };
	all->n_paths = all->problem->binding->n_paths;
	all->counts = rs_arena_array(arena, uint16_t, all->n_paths);
	all->writes = rs_arena_array(arena, bool, all->n_paths);
	all->levels = rs_arena_array(arena, uint8_t, all->n_paths);
	find_fixed(all);
	fill_items(all);
	qsort(all->items, all->n_items, sizeof *all->items, compare_items);
	make_sets(all);
	all->cost = all->is_complete ? all->problem->cost : rs_rising_cost(arena, all->problem->binding);
	make_families(all);
	make_kinds(all);
	for (size_t i = 0; i < all->n_sets; i++)
		init_set(all, i);
	fill_model(all, model);
	return model;
}

double rs_fluid_model_count_uses(const struct rs_fluid_model *model, const double *counts, size_t path)
{
	double sum = 0;

	for (size_t k = 0; k < model->n_kinds; k++)
		sum += model->kinds[k].levels[path] ? counts[k] : 0;
	return sum;
}

size_t rs_fluid_model_find_least(const struct rs_fluid_model *model, size_t item)
{
	size_t least = RS_NONE;

	for (size_t s = 0; s < model->n_sets; s++)
		if ((model->sets[s].members >> item & 1) &&
		    (least == RS_NONE ||
		     (model->sets[s].members & model->sets[least].members) == model->sets[s].members))
			least = s;
	return least;
}

double rs_fluid_model_lack(struct rs_fluid_model *model, size_t set, size_t path, unsigned n_uses)
{
	struct rs_fluid_maker *all = model->maker;
	const struct rs_fluid_set *own = &model->sets[set];
	double least_ns, slope;

	if (n_uses <= own->least[path] || n_uses >= own->most[path])
		return 0;
	count_least(all, own);
	least_ns = cost_counts(all);
	slope = find_slope(all, own, least_ns, path);
	return cost_uses(all, path, (uint16_t)n_uses) - least_ns - slope * (n_uses - own->least[path]);
}

bool rs_fluid_model_split(struct rs_fluid_model *model, size_t set, size_t path, unsigned n_uses)
{
	struct rs_fluid_maker *all = model->maker;
	struct rs_fluid_set *own = &model->sets[set], *other = &model->sets[model->n_sets];
	size_t size = all->n_paths * sizeof *own->least;

	if (model->n_sets == RS_FLUID_MOST_SETS)
		return false;
	*other = (struct rs_fluid_set) { .members = own->members, .type = own->type };
	other->least = rs_arena_array(all->arena, uint16_t, all->n_paths);
	other->most = rs_arena_array(all->arena, uint16_t, all->n_paths);
	other->room = rs_arena_array(all->arena, uint16_t, all->n_items);
	other->use_ns = rs_arena_array(all->arena, double, all->n_items);
	memcpy(other->least, own->least, size);
	memcpy(other->most, own->most, size);
	own->most[path] = (uint16_t)n_uses;
	other->least[path] = (uint16_t)(n_uses + 1);
	cost_set(all, own);
	cost_set(all, other);
	model->n_sets++;
	return true;
}

double rs_fluid_model_lines(const struct rs_fluid_model *model, rs_fluid_family members)
{
	uint64_t bits = 0;

	for (; members; members &= members - 1)
		bits += model->item_bits[__builtin_ctzll(members)];
	return bits ? (double)((bits + model->line_bits - 1) / model->line_bits) : 1;
}
