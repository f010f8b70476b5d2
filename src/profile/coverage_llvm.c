#include <string.h>

#include "base/path.h"
#include "profile/coverage_internal.h"

enum region_kind { REGION_CODE = 0, REGION_EXPANSION = 1 };

struct region {
	unsigned start_line, start_column, end_line, end_column; /* the end is exclusive */
	double count;
	size_t file, expanded; /* numbers in the function's own list of files */
	unsigned kind;
};

struct record {
	const char **files;
	bool *is_expansion; /* one a file: it is what a macro's use or an #include stands for */
	size_t n_files;
	struct region *regions;
	size_t n_regions;
	double count;
	struct record *next; /* of another unit that has the function, too */
};

struct rs_coverage_function {
	const char *name; /* key */
	struct record *records;
	UT_hash_handle hh;
};

/* --- reading --- */

static struct rs_error *read_region(const char *path, const struct rs_json *value, size_t n_files,
				    struct region *ret_region)
{
	enum { N_NUMBERS = 8 };
	double numbers[N_NUMBERS] = { 0 };
	size_t count = 0;

	for (const struct rs_json *item = value->first; item && count < N_NUMBERS; item = item->next, count++) {
		if (item->kind != RS_JSON_NUMBER || item->number < 0)
			return rs_json_error(path, item, false, "expected a number that is not negative");
		numbers[count] = item->number;
	}
	if (value->kind != RS_JSON_ARRAY || count < N_NUMBERS)
		return rs_json_error(path, value, false, "expected a region, an array of 8 numbers");
	for (size_t i = 0; i < N_NUMBERS; i++)
		if (i != 4 && numbers[i] > 4e9)
			return rs_json_error(path, value, false, "a place of this region is out of range");
	*ret_region = (struct region) { (unsigned)numbers[0], (unsigned)numbers[1], (unsigned)numbers[2],
					(unsigned)numbers[3], numbers[4],           (size_t)numbers[5],
					(size_t)numbers[6],   (unsigned)numbers[7] };
	if (ret_region->file >= n_files ||
	    (ret_region->kind == REGION_EXPANSION && ret_region->expanded >= n_files))
		return rs_json_error(path, value, false, "the region is in a file that is not listed");
	return NULL;
}

static struct rs_error *read_files(struct rs_coverage *coverage, const char *path, const struct rs_json *list,
				   struct record *record)
{
	record->files = rs_arena_array(coverage->arena, const char *, list->n_children);
	record->is_expansion = rs_arena_array(coverage->arena, bool, list->n_children);
	for (const struct rs_json *item = list->first; item; item = item->next) {
		if (item->kind != RS_JSON_STRING)
			return rs_json_error(path, item, false, "expected the name of a file");
		struct rs_coverage_file *file = rs_coverage_file_of(coverage, item->string);
		if (!file->entries) { /* the real path is asked once a name */
			file->entries = rs_arena_new(coverage->arena, struct rs_coverage_entry);
			file->entries->name = rs_path_canonical(coverage->arena, item->string);
		}
		record->files[record->n_files++] = file->entries->name;
	}
	return NULL;
}

static struct rs_error *read_regions(struct rs_coverage *coverage, const char *path, const struct rs_json *list,
				     struct record *record)
{
	record->regions = rs_arena_array(coverage->arena, struct region, list->n_children);
	for (const struct rs_json *item = list->first; item; item = item->next) {
		struct region *region = &record->regions[record->n_regions];

		RS_TRY(read_region(path, item, record->n_files, region));
		if (region->kind == REGION_EXPANSION)
			record->is_expansion[region->expanded] = true;
		record->n_regions += region->kind <= REGION_EXPANSION;
	}
	return NULL;
}

/* "a.c:f" is the static f of a.c. */
static void keep_record(struct rs_coverage *coverage, const char *full_name, struct record *record)
{
	const char *colon = strrchr(full_name, ':'), *name = colon ? colon + 1 : full_name;
	struct rs_coverage_function *function;

	HASH_FIND_STR(coverage->functions, name, function);
	if (!function) {
		function = rs_arena_new(coverage->arena, struct rs_coverage_function);
		function->name = name;
		HASH_ADD_KEYPTR(hh, coverage->functions, function->name, strlen(name), function);
		coverage->n_functions++;
	}
	record->next = function->records;
	function->records = record;
}

static struct rs_error *read_function(struct rs_coverage *coverage, const char *path,
				      const struct rs_json *value)
{
	struct record *record = rs_arena_new(coverage->arena, struct record);
	const struct rs_json *name = rs_json_find(value, "name"), *count = rs_json_find(value, "count");
	const struct rs_json *files = rs_json_find(value, "filenames"),
			     *regions = rs_json_find(value, "regions");

	if (!name || name->kind != RS_JSON_STRING || !count || count->kind != RS_JSON_NUMBER)
		return rs_json_error(path, value, false, "expected a function with \"name\" and \"count\"");
	if (!files || files->kind != RS_JSON_ARRAY || !regions || regions->kind != RS_JSON_ARRAY)
		return rs_json_error(path, value, false,
				     "expected a function with \"filenames\" and \"regions\"");
	record->count = count->number;
	RS_TRY(read_files(coverage, path, files, record));
	RS_TRY(read_regions(coverage, path, regions, record));
	keep_record(coverage, name->string, record);
	return NULL;
}

struct rs_error *rs_coverage_read_llvm(struct rs_coverage *coverage, const char *path,
				       const struct rs_json *root)
{
	const struct rs_json *version = rs_json_find(root, "version"), *data = rs_json_find(root, "data");

	coverage->version = version && version->kind == RS_JSON_STRING ? version->string : NULL;
	if (!data || data->kind != RS_JSON_ARRAY)
		return rs_json_error(path, data ? data : root, false, "expected \"data\", an array");
	for (const struct rs_json *item = data->first; item; item = item->next) {
		const struct rs_json *functions = rs_json_find(item, "functions");

		if (!functions || functions->kind != RS_JSON_ARRAY)
			return rs_json_error(path, item, false,
					     "it has no \"functions\": export without --summary-only and "
					     "--skip-functions");
		for (const struct rs_json *one = functions->first; one; one = one->next)
			RS_TRY(read_function(coverage, path, one));
	}
	return NULL;
}

/* --- looking up --- */

static bool starts_before(const struct region *region, unsigned line, unsigned column)
{
	return region->start_line < line || (region->start_line == line && region->start_column <= column);
}

static bool ends_behind(const struct region *region, unsigned line, unsigned column)
{
	return region->end_line > line || (region->end_line == line && region->end_column > column);
}

/* Regions nest: the innermost one starts last; of those that start together it is the shortest. */
static bool is_inside(const struct region *region, const struct region *other)
{
	if (region->start_line != other->start_line || region->start_column != other->start_column)
		return starts_before(other, region->start_line, region->start_column);
	return ends_behind(other, region->end_line, region->end_column);
}

static const struct region *find_innermost(const struct record *record, size_t file, unsigned line,
					   unsigned column)
{
	const struct region *found = NULL;

	for (size_t i = 0; i < record->n_regions; i++) {
		const struct region *region = &record->regions[i];

		if (region->kind != REGION_CODE || region->file != file ||
		    !starts_before(region, line, column) || !ends_behind(region, line, column))
			continue;
		if (!found || is_inside(region, found))
			found = region;
	}
	return found;
}

static const struct region *find_expansion(const struct record *record, size_t file, unsigned line,
					   unsigned column)
{
	for (size_t i = 0; i < record->n_regions; i++) {
		const struct region *region = &record->regions[i];

		if (region->kind == REGION_EXPANSION && region->file == file && region->start_line == line &&
		    region->start_column == column)
			return region;
	}
	return NULL;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Places in the macro's own text that use the member, in order. */
struct spot_search {
	const struct record *record;
	const char *name;
	bool is_parameter; /* the name is that of a parameter, else of a member */
	size_t n_found;
	double counts[64]; /* of the first that are found */
};

static void try_spot(struct spot_search *search, size_t file, const char *line_start, const char *at,
		     unsigned line)
{
	const char *before = at;
	unsigned column = (unsigned)(at - line_start) + 1;

	while (before > line_start && (before[-1] == ' ' || before[-1] == '\t'))
		before--;
	bool is_member = before > line_start && (before[-1] == '>' || before[-1] == '.');
	if (is_member == search->is_parameter)
		return;
	const struct region *region = find_innermost(search->record, file, line, column);
	if (region && search->n_found < RS_COUNT_OF(search->counts))
		search->counts[search->n_found++] = region->count;
}

static void search_line(struct spot_search *search, size_t file, const char *start, const char *end,
			unsigned line)
{
	size_t length = strlen(search->name);

	for (const char *at = start; at + length <= end; at++)
		if (memcmp(at, search->name, length) == 0 && (at == start || !is_word(at[-1])) &&
		    (at + length == end || !is_word(at[length])))
			try_spot(search, file, start, at, line);
}

/* The lines of the file that regions of the expansion cover. */
static void search_expansion(struct rs_coverage *coverage, struct spot_search *search, size_t file,
			     unsigned depth)
{
	enum { MOST = 8 };
	const struct record *record = search->record;
	unsigned first = UINT32_MAX, last = 0, line = 1;
	size_t size;
	const char *at = rs_coverage_text(coverage, record->files[file], &size), *end = at + size;

	for (size_t i = 0; i < record->n_regions; i++) {
		const struct region *region = &record->regions[i];

		if (region->file != file)
			continue;
		if (region->kind == REGION_EXPANSION && depth < MOST && !search->is_parameter)
			search_expansion(coverage, search, region->expanded, depth + 1);
		first = region->start_line < first ? region->start_line : first;
		last = region->end_line > last ? region->end_line : last;
	}
	for (; at < end && line <= last; line++) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		line_end = line_end ? line_end : end;
		if (line >= first)
			search_line(search, file, at, line_end, line);
		at = line_end + 1;
	}
}

static double count_in_macro(struct rs_coverage *coverage, struct spot_search *search,
			     const struct region *expansion, size_t ordinal, double otherwise)
{
	search_expansion(coverage, search, expansion->expanded, 0);
	return search->n_found ? search->counts[ordinal % search->n_found] : otherwise;
}

static size_t byte_of(const char *text, size_t size, unsigned line, unsigned column)
{
	const char *at = text, *end = text + size;

	for (unsigned l = 1; l < line && at < end; l++) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		at = line_end ? line_end + 1 : end;
	}
	return (size_t)(at - text) + column - 1 < size ? (size_t)(at - text) + column - 1 : size;
}

/* An argument is evaluated where the macro's body has the parameter, unless it has a branch of its own. */
static double count_argument(struct rs_coverage *coverage, const struct record *record, size_t file,
			     const struct rs_coverage_spot *spot, const struct region *around)
{
	const struct rs_code_site *site = spot->site;
	const struct region *expansion = find_expansion(record, file, site->use_line, site->use_column),
			    *first = NULL;
	size_t size, body_size;

	if (!expansion || !starts_before(around, site->use_line, site->use_column))
		return around->count;
	for (size_t i = 0; i < record->n_regions; i++)
		if (record->regions[i].file == expansion->expanded &&
		    (!first ||
		     !starts_before(first, record->regions[i].start_line, record->regions[i].start_column)))
			first = &record->regions[i];
	if (!first)
		return around->count;
	const char *text = rs_coverage_text(coverage, record->files[file], &size);
	const char *body = rs_coverage_text(coverage, record->files[expansion->expanded], &body_size);
	char *name = rs_coverage_parameter(coverage->arena, text, size,
					   byte_of(text, size, site->use_line, site->use_column),
					   byte_of(text, size, spot->place.line, spot->place.column), body,
					   byte_of(body, body_size, first->start_line, first->start_column));
	struct spot_search search = { .record = record, .name = name, .is_parameter = true };
	return name ? count_in_macro(coverage, &search, expansion, spot->ordinal, around->count)
		    : around->count;
}

static bool count_in(struct rs_coverage *coverage, const struct record *record,
		     const struct rs_coverage_spot *spot, double *ret_count)
{
	const struct rs_code_place *place = &spot->place;

	for (size_t f = 0; f < record->n_files; f++) {
		if (record->is_expansion[f] || strcmp(record->files[f], place->file) != 0)
			continue;
		const struct region *expansion = spot->site && spot->site->macro
							 ? find_expansion(record, f, place->line, place->column)
							 : NULL;
		if (expansion) {
			struct spot_search search = { .record = record, .name = spot->site->name };

			*ret_count =
				count_in_macro(coverage, &search, expansion, spot->ordinal, expansion->count);
			return true;
		}
		const struct region *region = find_innermost(record, f, place->line, place->column);
		if (!region)
			continue;
		*ret_count = spot->site && spot->site->use_line
				     ? count_argument(coverage, record, f, spot, region)
				     : region->count;
		return true;
	}
	return false;
}

static const struct rs_coverage_function *find_function(struct rs_coverage *coverage, const char *name)
{
	struct rs_coverage_function *function;

	HASH_FIND_STR(coverage->functions, name, function);
	return function;
}

bool rs_coverage_count_llvm(struct rs_coverage *coverage, const struct rs_code_function *function,
			    const struct rs_coverage_spot *spot, double *ret_count)
{
	const struct rs_coverage_function *known = find_function(coverage, function->name);
	double sum = 0, count;
	bool found = false;

	for (const struct record *record = known ? known->records : NULL; record; record = record->next)
		if (count_in(coverage, record, spot, &count)) {
			sum += count;
			found = true;
		}
	*ret_count = sum;
	return found;
}

bool rs_coverage_entries_llvm(struct rs_coverage *coverage, const struct rs_code_function *function,
			      double *ret_count)
{
	const struct rs_coverage_function *known = find_function(coverage, function->name);
	double sum = 0;
	bool found = false;

	for (const struct record *record = known ? known->records : NULL; record; record = record->next)
		for (size_t f = 0; f < record->n_files; f++)
			if (!record->is_expansion[f] && strcmp(record->files[f], function->place.file) == 0) {
				sum += record->count;
				found = true;
				break;
			}
	*ret_count = sum;
	return found;
}

void rs_coverage_deinit_llvm(struct rs_coverage *coverage)
{
	HASH_CLEAR(hh, coverage->functions);
}
