#include "profile/bind.h"

#include <string.h>

#include "profile/around.h"
#include "profile/groups.h"
#include "profile/hold.h"
#include "profile/names.h"
#include "profile/trust.h"

struct bind {
	struct rs_arena *arena;
	const struct rs_profile *profile;
	const struct rs_profile_struct *type;
	const struct rs_record *record;
	struct rs_notes *notes;
	struct rs_binding *binding;
	struct rs_bound_path *paths;
	struct rs_member_heat *heat;
	size_t *access_of;   /* member → 1 + its place among the accesses of the path at hand */
	const char **phases; /* by number; 0 is the steady state */
	const double *even;  /* the shares of the last path that spreads evenly … */
	size_t n_even;       /* … over this many CPUs */
	struct rs_around_list around;
};

static unsigned count_cpus(const struct bind *bind, unsigned said)
{
	return said ? said : bind->binding->machine.cpus;
}

/* The highest CPU number that any path names, plus one. */
static size_t highest_cpus(const struct bind *bind)
{
	size_t highest = 1;

	for (size_t p = 0; p < bind->type->n_paths; p++) {
		const struct rs_profile_path *path = &bind->type->paths[p];
		size_t count = count_cpus(bind, path->n_cpus);

		for (unsigned i = 0; path->cpus && i < path->n_cpus; i++)
			highest = path->cpus[i] >= highest ? path->cpus[i] + 1 : highest;
		if (!path->cpus && count > highest)
			highest = count;
	}
	for (size_t f = 0; f < bind->type->n_fields; f++) {
		size_t count = count_cpus(bind, bind->type->fields[f].cpus);

		highest = count > highest ? count : highest;
	}
	return highest;
}

static const double *spread_evenly(struct bind *bind, size_t count)
{
	double *shares;

	if (bind->even && bind->n_even == count)
		return bind->even;
	shares = rs_arena_array(bind->arena, double, bind->binding->n_cpus);
	for (size_t i = 0; i < count; i++)
		shares[i] = 1.0 / (double)count;
	bind->even = shares;
	bind->n_even = count;
	return shares;
}

static const double *spread(struct bind *bind, const struct rs_profile_path *path)
{
	size_t count = count_cpus(bind, path->n_cpus);
	double *shares;

	if (!path->cpus && !path->shares)
		return spread_evenly(bind, count);
	shares = rs_arena_array(bind->arena, double, bind->binding->n_cpus);
	for (size_t i = 0; i < count; i++)
		shares[path->cpus ? path->cpus[i] : i] = path->shares ? path->shares[i] : 1.0 / (double)count;
	return shares;
}

static size_t number_phase(struct bind *bind, const char *phase)
{
	size_t number = 1;

	if (!phase)
		return 0;
	while (number < bind->binding->n_phases && strcmp(bind->phases[number], phase) != 0)
		number++;
	if (number == bind->binding->n_phases)
		bind->phases[bind->binding->n_phases++] = phase;
	return number;
}

/* What happens once per object, before or after its life among other CPUs. */
static bool counts_for_nothing(const char *phase)
{
	return phase && (strcmp(phase, "init") == 0 || strcmp(phase, "teardown") == 0);
}

/* *ret_field: the record's own field that it is by now; NULL: it is the container's. */
static struct rs_error *bind_outside(struct bind *bind, size_t base, const struct rs_profile_access *access,
				     size_t path, struct rs_name_place place, const char **ret_field)
{
	*ret_field = rs_around_lifted(&bind->around, access->field);
	if (!*ret_field)
		return rs_around_add(&bind->around, base, access->field, place, path, access->kinds);
	rs_around_mention(&bind->around, base, path);
	return NULL;
}

/* Names of one member (array elements, or one list after the other) are one access. */
static struct rs_error *bind_accesses(struct bind *bind, const struct rs_profile_path *path,
				      struct rs_bound_path *ret_path)
{
	struct rs_bound_access *accesses =
		rs_arena_array(bind->arena, struct rs_bound_access, path->n_accesses);
	size_t count = 0;

	memset(bind->access_of, 0, bind->record->n_members * sizeof *bind->access_of);
	for (size_t i = 0; i < path->n_accesses; i++) {
		const struct rs_profile_access *access = &path->accesses[i];
		struct rs_name_place place = { path->file, access->line, access->column };
		size_t member = RS_NONE, outside = rs_around_find(&bind->around, access->field);
		const char *field = access->field;

		if (outside != RS_NONE)
			RS_TRY(bind_outside(bind, outside, access, (size_t)(ret_path - bind->paths), place,
					    &field));
		if (field && rs_around_is_lowered(&bind->around, field)) {
			RS_TRY(rs_around_add_lowered(&bind->around, field, place,
						     (size_t)(ret_path - bind->paths), access->kinds));
			continue;
		}
		if (!field)
			continue;
		RS_TRY(rs_names_find(bind->arena, bind->record, field, place, &member));
		if (member == RS_NONE)
			continue;
		if (!bind->access_of[member]) {
			accesses[count].member = member;
			bind->access_of[member] = ++count;
		}
		accesses[bind->access_of[member] - 1].reads |= (access->kinds & RS_ACCESS_READ) != 0;
		accesses[bind->access_of[member] - 1].writes |=
			(access->kinds & (RS_ACCESS_WRITE | RS_ACCESS_ATOMIC)) != 0;
		bind->heat[member].is_atomic |= (access->kinds & RS_ACCESS_ATOMIC) != 0;
	}
	ret_path->accesses = accesses;
	ret_path->n_accesses = count;
	return NULL;
}

/* The model knows nothing of waiters that spin, and at one waiter the better layout may be the other one. */
static struct rs_error *note_contended(const struct bind *bind, const struct rs_profile_path *path)
{
	const struct rs_profile_names *locks = &path->contended;
	struct rs_name_place place = { locks->file, locks->line, locks->column };

	for (size_t i = 0; i < locks->n_names; i++) {
		size_t member = RS_NONE;

		if (rs_around_is_lowered(&bind->around, locks->names[i]))
			continue;
		RS_TRY(rs_names_find(bind->arena, bind->record, locks->names[i], place, &member));
		if (member == RS_NONE)
			continue;
		rs_notes_add(
			bind->notes, RS_NOTE_WARNING, locks->file, locks->line, locks->column,
			"the cost leaves out CPUs that spin on '%s'; under contention what it guards is better "
			"off on another line",
			locks->names[i]);
	}
	return NULL;
}

static struct rs_error *bind_path(struct bind *bind, const struct rs_profile_path *path)
{
	struct rs_bound_path *bound = &bind->paths[bind->binding->n_paths++];

	*bound = (struct rs_bound_path) {
		.name = path->name,
		.rate = counts_for_nothing(path->phase) ? 0 : path->rate / path->burst,
		.util = path->util < 0 ? bind->binding->machine.util : path->util,
		.phase = number_phase(bind, path->phase),
		.shares = spread(bind, path),
	};
	RS_TRY(bind_accesses(bind, path, bound));
	return note_contended(bind, path);
}

/* member RS_NONE: a field of a container, which is added by itself. */
static void add_field_path(struct bind *bind, const struct rs_profile_field *field, size_t member, double rate,
			   bool writes)
{
	struct rs_bound_access *access = rs_arena_new(bind->arena, struct rs_bound_access);
	bool has_both = field->reads > 0 && field->writes > 0;

	*access = (struct rs_bound_access) { .member = member, .reads = !writes, .writes = writes };
	bind->paths[bind->binding->n_paths++] = (struct rs_bound_path) {
		.name = rs_arena_printf(bind->arena, "field %s%s", field->name,
					!has_both ? ""
					: writes  ? " (writes)"
						  : " (reads)"),
		.rate = rate,
		.util = bind->binding->machine.util,
		.shares = spread_evenly(bind, count_cpus(bind, field->cpus)),
		.accesses = access,
		.n_accesses = member != RS_NONE,
	};
}

static struct rs_error *bind_outside_field(struct bind *bind, const struct rs_profile_field *field, size_t base)
{
	struct rs_name_place place = { field->file, field->line, field->column };
	const char *own = rs_around_lifted(&bind->around, field->name);
	size_t member = RS_NONE;

	if (own)
		RS_TRY(rs_names_find(bind->arena, bind->record, own, place, &member));
	for (int writes = 0; writes < 2; writes++) {
		double rate = writes ? field->writes : field->reads;

		if (rate <= 0)
			continue;
		add_field_path(bind, field, member, rate, writes);
		if (own)
			rs_around_mention(&bind->around, base, bind->binding->n_paths - 1);
		else
			RS_TRY(rs_around_add(&bind->around, base, field->name, place,
					     bind->binding->n_paths - 1,
					     writes ? RS_ACCESS_WRITE : RS_ACCESS_READ));
	}
	return NULL;
}

static struct rs_error *bind_lowered_field(struct bind *bind, const struct rs_profile_field *field)
{
	struct rs_name_place place = { field->file, field->line, field->column };

	for (int writes = 0; writes < 2; writes++) {
		double rate = writes ? field->writes : field->reads;

		if (rate <= 0)
			continue;
		add_field_path(bind, field, RS_NONE, rate, writes);
		RS_TRY(rs_around_add_lowered(&bind->around, field->name, place, bind->binding->n_paths - 1,
					     writes ? RS_ACCESS_WRITE : RS_ACCESS_READ));
	}
	return NULL;
}

/* Nothing says which reads and writes go together: each kind is a path of its own. */
static struct rs_error *bind_field(struct bind *bind, const struct rs_profile_field *field)
{
	struct rs_name_place place = { field->file, field->line, field->column };
	size_t member = RS_NONE, outside = rs_around_find(&bind->around, field->name);

	if (outside != RS_NONE)
		return bind_outside_field(bind, field, outside);
	if (rs_around_is_lowered(&bind->around, field->name))
		return bind_lowered_field(bind, field);
	RS_TRY(rs_names_find(bind->arena, bind->record, field->name, place, &member));
	if (member == RS_NONE)
		return NULL;
	bind->heat[member].is_atomic |= field->is_atomic;
	if (field->reads > 0)
		add_field_path(bind, field, member, field->reads, false);
	if (field->writes > 0)
		add_field_path(bind, field, member, field->writes, true);
	return NULL;
}

/* Members inside an aggregate stand behind it: from the last to the first, every sum is complete when it is
 * handed on. */
static void sum_heat(struct bind *bind)
{
	for (size_t p = 0; p < bind->binding->n_paths; p++)
		for (size_t i = 0; i < bind->paths[p].n_accesses; i++) {
			const struct rs_bound_access *access = &bind->paths[p].accesses[i];

			bind->heat[access->member].reads += access->reads ? bind->paths[p].rate : 0;
			bind->heat[access->member].writes += access->writes ? bind->paths[p].rate : 0;
		}
	for (size_t m = bind->record->n_members; m-- > 0;) {
		size_t parent = bind->record->members[m].parent;

		if (parent == RS_NONE)
			continue;
		bind->heat[parent].reads += bind->heat[m].reads;
		bind->heat[parent].writes += bind->heat[m].writes;
	}
}

static void note_cpus(const struct bind *bind)
{
	size_t n_silent = 0;

	if (bind->profile->machine_given & 1u << RS_MACHINE_CPUS)
		return;
	for (size_t p = 0; p < bind->type->n_paths; p++)
		n_silent += !bind->type->paths[p].n_cpus;
	for (size_t f = 0; f < bind->type->n_fields; f++)
		n_silent += !bind->type->fields[f].cpus;
	if (n_silent)
		rs_notes_add(bind->notes, RS_NOTE_INFO, bind->type->path, bind->type->line, bind->type->column,
			     "%s: \"cpus\" is not said for %zu of its paths and fields; %u are assumed",
			     bind->type->name, n_silent, bind->binding->machine.cpus);
}

/* A plan weighs reads against writes; where they are counted in different units the weight is arbitrary. */
static void note_units(const struct bind *bind)
{
	const struct rs_profile_struct *type = bind->type;

	if (!rs_profile_has_one_unit(type->sources, type->n_sources))
		rs_notes_add(bind->notes, RS_NOTE_WARNING, type->path, type->line, type->column,
			     "%s: reads and writes count different things, so how they weigh against each "
			     "other is not "
			     "known",
			     type->name);
}

static void note_assumptions(const struct bind *bind)
{
	note_cpus(bind);
	note_units(bind);
	if (!bind->type->has_placement)
		rs_notes_add(bind->notes, RS_NOTE_INFO, bind->type->path, bind->type->line, bind->type->column,
			     "%s: \"placement\" is not said; objects are assumed to begin on a cache line",
			     bind->type->name);
}

static struct rs_error *check_hoist(const struct bind *bind)
{
	const struct rs_profile_names *list = &bind->type->hoist;
	struct rs_name_place place = { list->file, list->line, list->column };
	size_t member;

	for (size_t i = 0; i < list->n_names; i++)
		RS_TRY(rs_names_find(bind->arena, bind->record, list->names[i], place, &member));
	return NULL;
}

static void init_bind(struct bind *bind, const struct rs_placement *placement)
{
	const struct rs_profile_struct *type = bind->type;

	*bind->binding = (struct rs_binding) {
		.record = bind->record,
		.machine = bind->profile->machine,
		.placement = placement ? *placement : type->placement,
		.n_phases = 1,
		.allow = type->allow,
		.max_size = type->max_size,
		.instances = type->instances,
		.sources = type->sources,
		.n_sources = type->n_sources,
	};
	bind->binding->n_cpus = highest_cpus(bind);
	bind->paths = rs_arena_array(bind->arena, struct rs_bound_path, type->n_paths + 2 * type->n_fields);
	bind->heat = rs_arena_array(bind->arena, struct rs_member_heat, bind->record->n_members);
	bind->access_of = rs_arena_array(bind->arena, size_t, bind->record->n_members);
	bind->phases = rs_arena_array(bind->arena, const char *, type->n_paths + 1);
	rs_around_init(&bind->around, bind->arena, bind->record, &bind->binding->placement);
}

struct rs_error *rs_bind(struct rs_arena *arena, const struct rs_profile *profile,
			 const struct rs_profile_struct *type, const struct rs_record *record,
			 const struct rs_placement *placement, struct rs_notes *notes,
			 struct rs_binding *ret_binding)
{
	struct rs_binding binding;
	struct bind bind = { .arena = arena,
			     .profile = profile,
			     .type = type,
			     .record = record,
			     .notes = notes,
			     .binding = &binding };

	init_bind(&bind, placement);
	for (size_t p = 0; p < type->n_paths; p++)
		RS_TRY(bind_path(&bind, &type->paths[p]));
	for (size_t f = 0; f < type->n_fields; f++)
		RS_TRY(bind_field(&bind, &type->fields[f]));
	rs_around_finish(&bind.around, binding.n_paths, &binding.placement);
	RS_TRY(check_hoist(&bind));
	RS_TRY(rs_groups_bind(arena, type, record, &binding));
	RS_TRY(rs_hold_bind(arena, type, record, &binding.constraints, &binding.n_constraints));
	sum_heat(&bind);
	note_assumptions(&bind);
	binding.paths = bind.paths;
	binding.heat = bind.heat;
	*ret_binding = binding;
	return NULL;
}
