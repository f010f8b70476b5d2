/*
 * valgrind --tool=dhat, file version 1 or 2: for each allocation stack the accesses to every byte of its
 * blocks, run-length coded (a negative number says how often the next one stands). Whether bytes were read or
 * written is known for the blocks as a whole only.
 */
#include <string.h>

#include "profile/import_internal.h"

enum { MOST_BLOCK = 1024 };

struct dhat {
	struct rs_import *import;
	const struct rs_json *frames; /* frame table */
	size_t n_blocks;              /* allocation stacks that were taken */
	double reads, writes;         /* bytes, of those */
	size_t n_stacks, n_unknown;   /* of the struct's size; of them without counts by byte */
};

bool rs_sniff_dhat(const char *text, size_t size)
{
	return text[0] == '{' &&
	       memmem(text, size, "\"dhatFileVersion\"", strlen("\"dhatFileVersion\"")) != NULL;
}

static struct rs_error *get_count(const struct rs_import *import, const struct rs_json *object, const char *key,
				  double *ret_count)
{
	const struct rs_json *value = NULL;

	RS_TRY(rs_import_get(import, object, key, RS_JSON_NUMBER, &value));
	if (!(value->number >= 0 && value->number <= RS_IMPORT_MOST))
		return rs_json_error(import->path, value, false, "%s: %.15g is no count from 0 to 1e18", key,
				     value->number);
	*ret_count = value->number;
	return NULL;
}

/* Whether a frame of the stack has the text in it that was asked for. */
static bool is_wanted_stack(const struct dhat *dhat, const struct rs_json *stack)
{
	const struct rs_json *frames = rs_json_find(stack, "fs");
	const char *wanted = dhat->import->allocation;

	if (!wanted)
		return true;
	if (!frames || frames->kind != RS_JSON_ARRAY)
		return false;
	for (const struct rs_json *index = frames->first; index; index = index->next) {
		size_t i = 0;

		for (const struct rs_json *frame = dhat->frames->first; frame; frame = frame->next, i++)
			if (index->kind == RS_JSON_NUMBER && (double)i == index->number &&
			    frame->kind == RS_JSON_STRING && strstr(frame->string, wanted))
				return true;
	}
	return false;
}

/* acc: accesses by byte; gives how many bytes there are. */
static struct rs_error *decode(const struct rs_import *import, const struct rs_json *acc, double *counts,
			       size_t *ret_length)
{
	size_t length = 0;

	for (const struct rs_json *value = acc->first; value; value = value->next) {
		double repeat = 1;

		if (value->kind == RS_JSON_NUMBER && value->number < 0) {
			repeat = -value->number;
			value = value->next;
		}
		if (!value || value->kind != RS_JSON_NUMBER ||
		    !(value->number >= 0 && value->number <= RS_IMPORT_MOST))
			return rs_json_error(import->path, value ? value : acc, false,
					     "expected a count of accesses, from 0 to 1e18");
		if (!(repeat <= (double)(MOST_BLOCK - length)) || (double)(size_t)repeat < repeat)
			return rs_json_error(import->path, value, false,
					     "expected counts for at most %d bytes, found more", MOST_BLOCK);
		for (size_t i = 0; i < (size_t)repeat; i++)
			counts[length++] = value->number;
	}
	*ret_length = length;
	return NULL;
}

/* An access of several bytes counts at each of them: a member was accessed as often as its most accessed byte,
 * at the least. Blocks of several elements are folded. Of members that share bytes the first has the count. */
static void add_members(struct dhat *dhat, const struct rs_json *acc, const struct rs_record *record,
			const double *counts, size_t length, bool only_writes)
{
	uint64_t covered = 0;

	for (size_t m = 0; m < record->n_members; m++) {
		const struct rs_member *member = &record->members[m];
		uint64_t first = member->offset_bits / 8,
			 end = (member->offset_bits + member->size_bits + 7) / 8;
		double most = 0;

		if ((member->is_aggregate && member->n_inside > 0) || member->path[0] == '\0')
			continue;
		bool shares = first < covered;
		covered = end > covered ? end : covered;
		for (size_t element = 0; element < length && !shares; element += record->size_bytes) {
			double here = 0;

			for (uint64_t byte = first; byte < end && element + byte < length; byte++)
				here = counts[element + byte] > here ? counts[element + byte] : here;
			most += here;
		}
		struct rs_import_row *row = rs_import_add(
			dhat->import, (struct rs_word) { .line = acc->line, .column = acc->column });
		row->type = record->name;
		row->field = member->path;
		*(only_writes ? &row->writes : &row->reads) = most;
	}
}

static struct rs_error *read_stack(struct dhat *dhat, const struct rs_json *stack,
				   const struct rs_record *record)
{
	const struct rs_import *import = dhat->import;
	const struct rs_json *acc = NULL;
	double bytes = 0, blocks = 0, reads = 0, writes = 0, counts[MOST_BLOCK];
	size_t length = 0;

	RS_TRY(get_count(import, stack, "tb", &bytes));
	RS_TRY(get_count(import, stack, "tbk", &blocks));
	RS_TRY(get_count(import, stack, "rb", &reads));
	RS_TRY(get_count(import, stack, "wb", &writes));
	bool one = bytes == blocks * (double)record->size_bytes;
	if (blocks < 1 || !is_wanted_stack(dhat, stack))
		return NULL;
	acc = rs_json_find(stack, "acc");
	if (!acc) {
		dhat->n_unknown += one;
		return NULL;
	}
	RS_TRY(rs_import_get(import, stack, "acc", RS_JSON_ARRAY, &acc));
	RS_TRY(decode(import, acc, counts, &length));
	bool array = import->allocation && record->size_bytes > 0 && length % record->size_bytes == 0;
	if (length == 0 || (length != record->size_bytes && !array))
		return NULL;
	dhat->n_blocks++;
	dhat->reads += reads;
	dhat->writes += writes;
	add_members(dhat, acc, record, counts, length, reads <= 0 && writes > 0);
	return NULL;
}

static void note_limits(const struct dhat *dhat, const struct rs_record *record)
{
	struct rs_import *import = dhat->import;

	if (dhat->n_blocks == 0)
		rs_notes_add(import->notes, RS_NOTE_WARNING, import->path, 0, 0,
			     "no blocks of %llu bytes with counts by byte%s: nothing is known of %s",
			     (unsigned long long)record->size_bytes,
			     import->allocation ? " were allocated there" : "", record->name);
	if (dhat->n_unknown > 0)
		rs_notes_add(import->notes, RS_NOTE_WARNING, import->path, 0, 0,
			     "%zu allocation stacks of %s have no counts by byte and are left out",
			     dhat->n_unknown, record->name);
	if (dhat->n_blocks > 1 && !import->allocation)
		rs_notes_add(
			import->notes, RS_NOTE_WARNING, import->path, 0, 0,
			"%zu allocation stacks have blocks of %s's size, %llu bytes, and are taken for it: "
			"--allocation=TEXT chooses those with TEXT in a frame",
			dhat->n_blocks, record->name, (unsigned long long)record->size_bytes);
	if (dhat->n_blocks > 0 && dhat->reads > 0 && dhat->writes > 0)
		rs_notes_add(import->notes, RS_NOTE_WARNING, import->path, 0, 0,
			     "%s: DHAT does not say which accesses write: all count as reads, so false sharing "
			     "is not "
			     "seen (bytes read %.15g, written %.15g)",
			     record->name, dhat->reads, dhat->writes);
}

static struct rs_error *read_root(struct dhat *dhat, const struct rs_json *root,
				  const struct rs_json **ret_stacks)
{
	const struct rs_import *import = dhat->import;
	const struct rs_json *version = NULL;

	RS_TRY(rs_import_get(import, root, "dhatFileVersion", RS_JSON_NUMBER, &version));
	if (version->number != 1 && version->number != 2)
		return rs_json_error(import->path, version, false, "expected dhatFileVersion 1 or 2, found %g",
				     version->number);
	RS_TRY(rs_import_get(import, root, "pps", RS_JSON_ARRAY, ret_stacks));
	return rs_import_get(import, root, "ftbl", RS_JSON_ARRAY, &dhat->frames);
}

struct rs_error *rs_import_dhat(struct rs_import *import)
{
	const struct rs_json *root = NULL, *stacks = NULL;

	import->tool = "valgrind dhat";
	import->trust = "counted";
	import->reads_unit = import->writes_unit = "accesses";
	import->is_complete = true;
	RS_TRY(rs_json_parse(import->arena, import->path, import->text, import->size, &root));
	for (size_t r = 0; r < import->n_records; r++) {
		struct dhat dhat = { .import = import };

		RS_TRY(read_root(&dhat, root, &stacks));
		for (const struct rs_json *stack = stacks->first; stack; stack = stack->next)
			RS_TRY(read_stack(&dhat, stack, import->records[r]));
		note_limits(&dhat, import->records[r]);
	}
	return NULL;
}
