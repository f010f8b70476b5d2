#include "session/changes.h"

#include <stdlib.h>
#include <string.h>

#include "rewrite/rewrite.h"

static int by_place(const void *a, const void *b)
{
	const struct rs_edit *left = (const struct rs_edit *)a, *right = (const struct rs_edit *)b;
	int order = strcmp(left->source->realpath, right->source->realpath);

	if (order != 0)
		return order;
	return (left->span.start > right->span.start) - (left->span.start < right->span.start);
}

static const struct rs_initializer_list *initializers_of(const struct rs_session *session, size_t record)
{
	static const struct rs_initializer_list none = { 0 };

	return session->records[record].initializers ? session->records[record].initializers : &none;
}

static size_t count_insertions(const struct rs_initializer_list *initializers)
{
	size_t count = 0;

	for (size_t i = 0; i < initializers->n_items; i++)
		count += initializers->items[i].n_insertions;
	return count;
}

static size_t add_insertions(const struct rs_initializer *initializer, struct rs_edit *edits)
{
	for (size_t i = 0; i < initializer->n_insertions; i++) {
		const struct rs_insertion *insertion = &initializer->insertions[i];

		edits[i] = (struct rs_edit) { .source = initializer->source,
					      .span = { insertion->byte, insertion->byte },
					      .text = insertion->text,
					      .size = strlen(insertion->text) };
	}
	return initializer->n_insertions;
}

void rs_changes_find_edits(struct rs_session *session, size_t record, struct rs_plan_result *plan)
{
	const struct rs_initializer_list *initializers = initializers_of(session, record);
	struct rs_edit *moves, *edits;
	size_t n_edits;

	rs_rewrite_order(session->arena, session->records[record].record, plan->plan->order, &moves, &n_edits);
	edits = rs_arena_array(session->arena, struct rs_edit, n_edits + count_insertions(initializers));
	for (size_t i = 0; i < n_edits; i++)
		edits[i] = moves[i];
	for (size_t i = 0; n_edits > 0 && i < initializers->n_items; i++)
		n_edits += add_insertions(&initializers->items[i], edits + n_edits);
	if (n_edits > 0)
		qsort(edits, n_edits, sizeof *edits, by_place);
	plan->edits = edits;
	plan->n_edits = n_edits;
}

/* --- the files --- */

static struct rs_edit *gather_edits(struct rs_session *session, const struct rs_session_pick *picks,
				    size_t n_picks, size_t *ret_count)
{
	size_t count = 0;

	for (size_t p = 0; p < n_picks; p++)
		count += picks[p].plan->n_edits;
	struct rs_edit *edits = rs_arena_array(session->arena, struct rs_edit, count);
	count = 0;
	for (size_t p = 0; p < n_picks; p++)
		for (size_t i = 0; i < picks[p].plan->n_edits; i++)
			edits[count++] = picks[p].plan->edits[i];
	if (count > 0)
		qsort(edits, count, sizeof *edits, by_place);
	*ret_count = count;
	return edits;
}

static void add_file(struct rs_session *session, struct rs_session_changes *changes,
		     const struct rs_edit *edits, size_t n_edits)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const struct rs_source *source = edits[0].source;

	rs_edit_apply(source, edits, n_edits, &text);
	*rs_array_push(session->arena, changes->files, changes->n_files, changes->files_capacity) =
		(struct rs_file_change) {
			.source = source,
			.edits = edits,
			.n_edits = n_edits,
			.new_text = rs_arena_strndup(session->arena, text.data, text.length),
			.new_size = text.length,
		};
}

static struct rs_file_change *find_file(const struct rs_session_changes *changes, const char *realpath)
{
	for (size_t i = 0; i < changes->n_files; i++)
		if (strcmp(changes->files[i].source->realpath, realpath) == 0)
			return &changes->files[i];
	return NULL;
}

const struct rs_file_change *rs_changes_find(const struct rs_session_changes *changes, const char *realpath)
{
	return find_file(changes, realpath);
}

/* --- the lists --- */

/* For each edit of a file by how much what stands behind the ones before it moves, modulo 2^N. */
struct shifts {
	const struct rs_file_change *file;
	size_t *items; /* n_edits + 1 */
};

static struct shifts make_shifts(struct rs_arena *arena, const struct rs_file_change *file)
{
	struct shifts shifts = { .file = file, .items = rs_arena_array(arena, size_t, file->n_edits + 1) };

	for (size_t i = 0; i < file->n_edits; i++) {
		const struct rs_edit *edit = &file->edits[i];

		shifts.items[i + 1] = shifts.items[i] + edit->size - (edit->span.end - edit->span.start);
	}
	return shifts;
}

/* Where a byte that is not edited itself stands in the new text; what is inserted there comes before it, unless
 * what is meant is that text. */
static size_t new_place(const struct shifts *shifts, size_t byte, bool of_inserted)
{
	size_t low = 0, high = shifts->file->n_edits;

	while (low < high) {
		size_t middle = low + (high - low) / 2, start = shifts->file->edits[middle].span.start;

		if (start < byte || (start == byte && !of_inserted))
			low = middle + 1;
		else
			high = middle;
	}
	return byte + shifts->items[low];
}

static const struct shifts *shifts_of(const struct rs_session_changes *changes, const struct shifts *shifts,
				      const char *realpath)
{
	return &shifts[find_file(changes, realpath) - changes->files];
}

static struct rs_designated designated(struct rs_session *session, const struct rs_session_changes *changes,
				       const struct shifts *shifts, const struct rs_record *record,
				       const struct rs_initializer *initializer)
{
	const struct shifts *here = shifts_of(changes, shifts, initializer->source->realpath);
	const struct shifts *there = shifts_of(changes, shifts, record->source->realpath);
	struct rs_insertion *insertions =
		rs_arena_array(session->arena, struct rs_insertion, initializer->n_insertions);

	for (size_t i = 0; i < initializer->n_insertions; i++)
		insertions[i] = (struct rs_insertion) {
			.byte = new_place(here, initializer->insertions[i].byte, true),
			.text = initializer->insertions[i].text,
		};
	return (struct rs_designated) { .path = initializer->source->realpath,
					.byte = new_place(here, initializer->byte, false),
					.insertions = insertions,
					.n_insertions = initializer->n_insertions,
					.record_path = record->source->realpath,
					.record_byte = new_place(there, record->span.start, false) };
}

static void add_lists(struct rs_session *session, struct rs_session_changes *changes,
		      const struct shifts *shifts, size_t record)
{
	const struct rs_initializer_list *initializers = initializers_of(session, record);

	for (size_t i = 0; i < initializers->n_items; i++) {
		const struct rs_initializer *initializer = &initializers->items[i];

		if (initializer->n_insertions == 0)
			continue;
		changes->lists[changes->n_lists++] =
			designated(session, changes, shifts, session->records[record].record, initializer);
		find_file(changes, initializer->source->realpath)->n_initializers++;
	}
}

void rs_changes_collect(struct rs_session *session, const struct rs_session_pick *picks, size_t n_picks,
			struct rs_session_changes *ret_changes)
{
	size_t n_edits, n_lists = 0;
	const struct rs_edit *edits = gather_edits(session, picks, n_picks, &n_edits);

	*ret_changes = (struct rs_session_changes) { .picks = picks, .n_picks = n_picks };
	for (size_t i = 0, end; i < n_edits; i = end) {
		for (end = i + 1; end < n_edits; end++)
			if (strcmp(edits[end].source->realpath, edits[i].source->realpath) != 0)
				break;
		add_file(session, ret_changes, edits + i, end - i);
	}
	struct shifts *shifts = rs_arena_array(session->arena, struct shifts, ret_changes->n_files);
	for (size_t i = 0; i < ret_changes->n_files; i++)
		shifts[i] = make_shifts(session->arena, &ret_changes->files[i]);
	for (size_t p = 0; p < n_picks; p++)
		n_lists += initializers_of(session, picks[p].record)->n_items;
	ret_changes->lists = rs_arena_array(session->arena, struct rs_designated, n_lists);
	for (size_t p = 0; p < n_picks; p++)
		if (picks[p].plan->n_edits > 0)
			add_lists(session, ret_changes, shifts, picks[p].record);
}

/* --- the proof --- */

static struct rs_verify_context context_of(struct rs_session *session, const struct rs_session_changes *changes,
					   const char *without)
{
	struct rs_buffer *texts = rs_arena_array(session->arena, struct rs_buffer, changes->n_files);
	struct rs_verify_context context = { .texts = texts,
					     .lists = changes->lists,
					     .n_lists = changes->n_lists };

	for (size_t i = 0; i < changes->n_files; i++) {
		const struct rs_file_change *file = &changes->files[i];

		if (!without || strcmp(file->source->realpath, without) != 0)
			texts[context.n_texts++] =
				(struct rs_buffer) { file->source->realpath, file->new_text, file->new_size };
	}
	return context;
}

/* The units that show the picked records, and what must be found there. */
struct proof {
	struct rs_arena *arena;
	struct rs_tu **units;
	size_t n_units, units_capacity;
	struct rs_verification *verifications;
	size_t n_verifications, verifications_capacity;
};

static void add_unit(struct proof *proof, struct rs_tu *tu)
{
	for (size_t i = 0; i < proof->n_units; i++)
		if (proof->units[i] == tu)
			return;
	*rs_array_push(proof->arena, proof->units, proof->n_units, proof->units_capacity) = tu;
}

static void add_verification(struct proof *proof, struct rs_tu *tu, const struct rs_record *record,
			     const struct rs_plan *plan)
{
	add_unit(proof, tu);
	*rs_array_push(proof->arena, proof->verifications, proof->n_verifications,
		       proof->verifications_capacity) = (struct rs_verification) { record, plan };
}

/* A unit may show some of the records in one configuration and others in another. */
static void add_pick(struct rs_session *session, struct proof *proof, const struct rs_session_pick *pick)
{
	const struct rs_session_record *from = &session->records[pick->record];
	const struct rs_plan_view *views = rs_session_plan_views(session, from);

	add_verification(proof, from->tu, from->record, pick->plan->plan);
	for (size_t v = 0; v < from->n_views; v++) {
		struct rs_plan *plan = rs_arena_new(proof->arena, struct rs_plan);

		rs_agree_plan(proof->arena, from->record, &views[v], pick->plan->plan, plan);
		add_verification(proof, from->views[v].tu, from->views[v].record, plan);
	}
}

static bool reads_any(const struct rs_tu *tu, const struct rs_session_pick *picks, size_t n_picks)
{
	for (size_t p = 0; p < n_picks; p++)
		for (size_t i = 0; i < picks[p].plan->n_changes; i++)
			if (rs_tu_reads(tu, picks[p].plan->changes[i].source->realpath))
				return true;
	return false;
}

static size_t index_of(const struct rs_session *session, const struct rs_tu *tu)
{
	size_t index = 0;

	while (index < session->n_tus && session->tus[index].tu != tu)
		index++;
	return index;
}

static const char *path_of(const struct rs_session *session, const struct rs_session_pick *pick)
{
	return session->records[pick->record].record->source->realpath;
}

/* The picks whose records stand in the file, in the units that show them. */
static struct rs_error *verify_file(struct rs_session *session, const struct rs_session_changes *changes,
				    const struct rs_file_change *own, const bool *concerned, bool *done)
{
	struct rs_verify_context others = context_of(session, changes, own->source->realpath);
	struct proof proof = { .arena = session->arena };

	for (size_t i = 0; i < changes->n_picks; i++)
		if (strcmp(path_of(session, &changes->picks[i]), own->source->realpath) == 0)
			add_pick(session, &proof, &changes->picks[i]);
		else
			others.others_planned = true;
	for (size_t i = 0; i < proof.n_units; i++) {
		size_t index = index_of(session, proof.units[i]);

		if (!concerned[index])
			continue;
		RS_TRY(rs_verify(proof.units[i], own->source, own->new_text, own->new_size, proof.verifications,
				 proof.n_verifications, own->edits, own->n_edits, &others));
		done[index] = true;
	}
	return NULL;
}

struct rs_error *rs_changes_verify(struct rs_session *session, const struct rs_session_changes *changes,
				   const struct rs_session_pick *since, size_t n_since)
{
	const struct rs_verify_context all = context_of(session, changes, NULL);
	bool *concerned = rs_arena_array(session->arena, bool, session->n_tus + 1);
	bool *done = rs_arena_array(session->arena, bool, session->n_tus + 1);

	for (size_t i = 0; i < session->n_tus; i++)
		concerned[i] = reads_any(session->tus[i].tu, since, n_since);
	concerned[session->n_tus] = true;
	for (size_t i = 0; i < changes->n_files; i++) {
		const struct rs_file_change *file = &changes->files[i];

		RS_TRY(rs_verify_inverse(file->source, file->new_text, file->new_size, file->edits,
					 file->n_edits));
		RS_TRY(verify_file(session, changes, file, concerned, done));
	}
	for (size_t i = 0; i < session->n_tus; i++)
		done[i] = done[i] || !concerned[i];
	return rs_session_check_elsewhere(session, done, &all);
}
