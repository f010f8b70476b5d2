#include "profile/collect.h"

#include <string.h>

#include "profile/collect_internal.h"

enum { MOST_PATHS = 96 }; /* of a struct; the rarest are counted field by field */

struct tally {
	size_t n_sites, n_known, n_addresses;
};

/* --- paths --- */

static const char *unique_name(struct rs_arena *arena, const struct rs_profile_path *paths, size_t count,
			       const char *name)
{
	const char *tried = name;
	size_t number = 1;

	for (size_t i = 0; i < count; i++)
		if (strcmp(paths[i].name, tried) == 0) {
			tried = rs_arena_printf(arena, "%s%s%zu", name, strchr(name, ':') ? " " : ":",
						++number);
			i = (size_t)-1;
		}
	return tried;
}

static unsigned kinds_of(unsigned does)
{
	unsigned kinds = 0;

	if (does & RS_CODE_ATOMIC)
		return RS_ACCESS_ATOMIC;
	if (does & (RS_CODE_READ | RS_CODE_ADDRESS))
		kinds |= RS_ACCESS_READ;
	if (does & RS_CODE_WRITE)
		kinds |= RS_ACCESS_WRITE;
	return kinds;
}

/* The lists stand in the order atomics, reads, writes in the file: so must the accesses. */
static void fill_accesses(struct rs_arena *arena, const struct rs_record *record,
			  const struct rs_collected_path *from, struct rs_profile_path *path)
{
	struct rs_profile_access *accesses = rs_arena_array(arena, struct rs_profile_access, record->n_members);

	for (size_t m = 0; m < record->n_members; m++)
		if (from->does[m] && record->members[m].path[0])
			accesses[path->n_accesses++] =
				(struct rs_profile_access) { .field = record->members[m].path,
							     .kinds = kinds_of(from->does[m]) };
	path->accesses = accesses;
}

/* An aggregate and something in it: the whole says it. */
static void drop_covered(const struct rs_record *record, const unsigned char *does, unsigned char *ret_does)
{
	memcpy(ret_does, does, record->n_members);
	for (size_t m = 0; m < record->n_members; m++)
		for (size_t p = record->members[m].parent; p != RS_NONE; p = record->members[p].parent)
			if (does[p] && record->members[p].path[0]) {
				ret_does[p] |= does[m];
				ret_does[m] = 0;
			}
}

static void add_path(const struct rs_collecting *collecting, const struct rs_record *record,
		     const struct rs_collected_path *from, struct rs_profile_struct *type,
		     struct rs_profile_path *paths)
{
	struct rs_arena *arena = collecting->arena;
	struct rs_collected_path plain = *from;
	unsigned char *does = rs_arena_array(arena, unsigned char, record->n_members);
	struct rs_profile_path *path = &paths[type->n_paths];

	drop_covered(record, from->does, does);
	plain.does = does;
	*path = (struct rs_profile_path) { .name = unique_name(arena, paths, type->n_paths, from->name),
					   .rate = from->rate,
					   .burst = from->burst,
					   .util = -1,
					   .phase = from->is_init ? "init" : NULL };
	fill_accesses(arena, record, &plain, path);
	type->n_paths++;
}

/* --- fields --- */

struct amounts {
	double *reads, *writes;
	bool *is_atomic;
};

static struct amounts no_amounts(struct rs_arena *arena, size_t n_members)
{
	return (struct amounts) { rs_arena_array(arena, double, n_members),
				  rs_arena_array(arena, double, n_members),
				  rs_arena_array(arena, bool, n_members) };
}

static bool is_leaf(const struct rs_member *member)
{
	return member->path[0] && !(member->is_aggregate && member->n_inside > 0);
}

static void add_amount(const struct rs_record *record, size_t first, size_t last, unsigned does, double count,
		       struct amounts *amounts)
{
	unsigned kinds = kinds_of(does);

	for (size_t m = first; m <= last; m++) {
		if (!is_leaf(&record->members[m]))
			continue;
		amounts->reads[m] += kinds & RS_ACCESS_READ ? count : 0;
		amounts->writes[m] += kinds & (RS_ACCESS_WRITE | RS_ACCESS_ATOMIC) ? count : 0;
		amounts->is_atomic[m] |= (kinds & RS_ACCESS_ATOMIC) != 0;
	}
}

static void fill_fields(struct rs_arena *arena, const struct rs_record *record, const struct amounts *amounts,
			struct rs_profile_struct *type)
{
	struct rs_profile_field *fields = rs_arena_array(arena, struct rs_profile_field, record->n_members);

	for (size_t m = 0; m < record->n_members; m++)
		if (amounts->reads[m] > 0 || amounts->writes[m] > 0)
			fields[type->n_fields++] =
				(struct rs_profile_field) { .name = record->members[m].path,
							    .reads = amounts->reads[m],
							    .writes = amounts->writes[m],
							    .is_atomic = amounts->is_atomic[m] };
	type->fields = fields;
}

static void make_fields(const struct rs_collecting *collecting, size_t index, struct rs_profile_struct *type)
{
	const struct rs_record *record = collecting->asked->records[index];
	struct amounts amounts = no_amounts(collecting->arena, record->n_members);

	for (size_t f = 0; f < collecting->n_functions; f++) {
		const struct rs_counted *counted = &collecting->functions[f];

		for (size_t i = 0; i < counted->function->n_sites; i++) {
			const struct rs_code_site *site = &counted->function->sites[i];
			bool whole = site->member == RS_NONE;
			size_t first = whole ? 0 : site->member;

			if (counted->function->bases[site->base].record != index || record->n_members == 0)
				continue;
			size_t last = whole ? record->n_members - 1 : first + record->members[first].n_inside;
			add_amount(record, first, last, site->does, counted->sites[i], &amounts);
		}
	}
	fill_fields(collecting->arena, record, &amounts, type);
}

static void make_paths(const struct rs_collecting *collecting, size_t index, struct rs_profile_struct *type)
{
	const struct rs_record *record = collecting->asked->records[index];
	struct amounts rest = no_amounts(collecting->arena, record->n_members);
	struct rs_collected_paths paths;
	struct rs_profile_path *made;

	rs_collect_paths(collecting, index, &paths);
	made = rs_arena_array(collecting->arena, struct rs_profile_path, MOST_PATHS);
	for (size_t i = 0; i < paths.n_items; i++) {
		if (i < MOST_PATHS) {
			add_path(collecting, record, &paths.items[i], type, made);
			continue;
		}
		for (size_t m = 0; m < record->n_members && !paths.items[i].is_init; m++)
			if (paths.items[i].does[m])
				add_amount(record, m, m + record->members[m].n_inside, paths.items[i].does[m],
					   paths.items[i].rate, &rest);
	}
	type->paths = made;
	fill_fields(collecting->arena, record, &rest, type);
}

/* --- where it comes from --- */

static struct tally tally_sites(const struct rs_collecting *collecting, size_t record)
{
	struct tally tally = { 0 };

	for (size_t f = 0; f < collecting->n_functions; f++) {
		const struct rs_counted *counted = &collecting->functions[f];

		for (size_t i = 0; i < counted->function->n_sites; i++) {
			const struct rs_code_site *site = &counted->function->sites[i];

			if (counted->function->bases[site->base].record != record)
				continue;
			tally.n_sites++;
			tally.n_addresses += (site->does & RS_CODE_ADDRESS) != 0;
			tally.n_known += counted->is_known[i] && !(site->does & RS_CODE_ADDRESS);
		}
	}
	return tally;
}

static void make_source(const struct rs_collect *collect, const struct tally *tally,
			struct rs_profile_struct *type)
{
	static const char *const tools[] = { "restruct profile collect --static", "llvm-cov", "gcov" };
	static const char *const trusts[] = { "static", "counted", "upper bound" };
	enum rs_coverage_kind kind = collect->coverage->kind;
	struct rs_profile_source *source = rs_arena_new(collect->arena, struct rs_profile_source);

	*source = (struct rs_profile_source) {
		.tool = tools[kind],
		.version = kind == RS_COVERAGE_NONE ? collect->version : collect->coverage->version,
		.trust = trusts[kind],
		.reads_unit = "executions",
		.writes_unit = "executions",
		.rows = (double)tally->n_sites,
		.resolved = (double)tally->n_known,
		.file = collect->origin,
		.date = collect->date,
	};
	type->sources = source;
	type->n_sources = 1;
}

static void note_share(const struct rs_collect *collect, const char *name, const struct tally *tally)
{
	size_t n_lost = tally->n_sites - tally->n_known - tally->n_addresses;

	rs_notes_add(
		collect->notes, RS_NOTE_INFO, NULL, 0, 0,
		"%s: %zu of %zu access sites resolved (%.1f %%); %zu take an address that is not followed, "
		"%zu are in code that was not counted",
		name, tally->n_known, tally->n_sites,
		tally->n_sites ? 100.0 * (double)tally->n_known / (double)tally->n_sites : 0.0,
		tally->n_addresses, n_lost);
}

static size_t make_struct(const struct rs_collecting *collecting, size_t index, struct rs_profile_struct *type)
{
	const struct rs_collect *collect = collecting->asked;
	const struct tally tally = tally_sites(collecting, index);

	*type = (struct rs_profile_struct) { .name = collect->records[index]->name };
	make_source(collect, &tally, type);
	if (collect->by_field)
		make_fields(collecting, index, type);
	else
		make_paths(collecting, index, type);
	note_share(collect, type->name, &tally);
	return type->n_paths + type->n_fields;
}

struct rs_error *rs_collect(const struct rs_collect *collect, struct rs_profile *ret_profile)
{
	struct rs_collecting collecting = { .asked = collect, .arena = collect->arena };
	struct rs_profile_struct *structs =
		rs_arena_array(collect->arena, struct rs_profile_struct, collect->n_records);
	struct rs_profile profile = { .structs = structs };
	size_t n_figures = 0;

	rs_collect_count(&collecting);
	rs_machine_init(&profile.machine);
	for (size_t i = 0; i < collect->n_records; i++)
		n_figures += make_struct(&collecting, i, &structs[profile.n_structs++]);
	if (n_figures == 0)
		return rs_error_create(
			RS_ERROR_NOT_FOUND, collect->origin, 0, 0, "no code that ran touches a field of %s%s",
			collect->n_records == 1 ? collect->records[0]->name : "these structs",
			collect->origin ? " (is it an export of the program that these sources make?)" : "");
	*ret_profile = profile;
	return NULL;
}
