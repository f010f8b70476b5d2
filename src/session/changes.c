#include "session/changes.h"

#include <string.h>

#include "rewrite/rewrite.h"
#include "session/variant.h"

static struct rs_initializer_pick initializers_of(struct rs_session *session,
						  const struct rs_session_pick *pick)
{
	static const struct rs_initializer_list none = { 0 };
	const struct rs_session_record *from = &session->records[pick->record];
	struct rs_initializer_order *orders =
		rs_arena_array(session->arena, struct rs_initializer_order, from->n_views + 1);
	const struct rs_plan_view *views = rs_session_plan_views(session, from);

	orders[0] = (struct rs_initializer_order) { from->record, pick->plan->plan->order };
	for (size_t v = 0; v < from->n_views; v++) {
		struct rs_plan plan;

		rs_agree_plan(session->arena, from->record, &views[v], pick->plan->plan, &plan);
		orders[v + 1] = (struct rs_initializer_order) { from->views[v].record, plan.order };
	}
	return (struct rs_initializer_pick) { .orders = orders,
					      .n_orders = from->n_views + 1,
					      .initializers = from->initializers ? from->initializers : &none };
}

struct gathering {
	struct rs_session *session;
	struct rs_session_changes *changes;
	struct rs_edit *edits;
	size_t n_edits, edits_capacity;
};

static void add_edits(struct gathering *gathering, const struct rs_edit *edits, size_t count)
{
	for (size_t i = 0; i < count; i++)
		*rs_array_push(gathering->session->arena, gathering->edits, gathering->n_edits,
			       gathering->edits_capacity) = edits[i];
}

/* What a variant changes is found there, initialisers included. */
static void add_variants(struct gathering *gathering)
{
	const struct rs_session_changes *changes = gathering->changes;

	for (size_t p = 0; p < changes->n_picks; p++) {
		struct rs_edit *edits;
		size_t count;

		if (!changes->picks[p].plan->variant)
			continue;
		rs_variant_edits(gathering->session, &changes->picks[p], gathering->changes, &edits, &count);
		add_edits(gathering, edits, count);
	}
}

/* Edits of picks that were made without each other may want the same bytes: then they cannot be combined. */
static void check_overlap(struct gathering *gathering)
{
	for (size_t i = 1; i < gathering->n_edits; i++) {
		const struct rs_edit *before = &gathering->edits[i - 1], *edit = &gathering->edits[i];

		if (strcmp(before->source->realpath, edit->source->realpath) != 0 ||
		    before->span.end <= edit->span.start)
			continue;
		gathering->n_edits = 0;
		gathering->changes->overlap = edit->source;
		return;
	}
}

/* The edits of all picks, by file and place. */
static void gather_edits(struct rs_session *session, struct rs_session_changes *changes)
{
	struct gathering gathering = { .session = session, .changes = changes };
	struct rs_initializer_pick *moving =
		rs_arena_array(session->arena, struct rs_initializer_pick, changes->n_picks);
	size_t n_moving = 0;

	for (size_t p = 0; p < changes->n_picks; p++) {
		const struct rs_session_pick *pick = &changes->picks[p];
		struct rs_edit *moves;
		size_t n_moves;

		if (pick->plan->variant)
			continue;
		rs_rewrite_with_headlines(session->arena, session->records[pick->record].record,
					  pick->plan->plan->order, pick->plan->headlines, &moves, &n_moves);
		add_edits(&gathering, moves, n_moves);
		if (n_moves > 0)
			moving[n_moving++] = initializers_of(session, pick);
	}
	rs_initializers_rewrite(session->arena, moving, n_moving, session->options.designate,
				&changes->initializers);
	add_edits(&gathering, changes->initializers.edits, changes->initializers.n_edits);
	add_variants(&gathering);
	rs_edit_sort(session->arena, gathering.edits, gathering.n_edits);
	check_overlap(&gathering);
	changes->edits = gathering.edits;
	changes->n_edits = gathering.n_edits;
}

/* --- the files --- */

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

static void count_initializers(struct rs_session *session, struct rs_session_changes *changes)
{
	const struct rs_initializer_edits *initializers = &changes->initializers;

	changes->list_paths = rs_arena_array(session->arena, const char *, initializers->n_changed);
	for (size_t i = 0; i < initializers->n_changed; i++) {
		const struct rs_initializer *initializer = initializers->changed[i];
		const char *path = initializer->source->realpath;
		struct rs_file_change *file = find_file(changes, path);

		if (file)
			file->n_initializers++;
		changes->in_macros = changes->in_macros || initializer->macro != RS_NONE;
		if (changes->n_list_paths == 0 ||
		    strcmp(changes->list_paths[changes->n_list_paths - 1], path) != 0)
			changes->list_paths[changes->n_list_paths++] = path;
	}
}

void rs_changes_collect(struct rs_session *session, const struct rs_session_pick *picks, size_t n_picks,
			struct rs_session_changes *ret_changes)
{
	*ret_changes = (struct rs_session_changes) { .picks = picks, .n_picks = n_picks };
	gather_edits(session, ret_changes);
	const struct rs_edit *edits = ret_changes->edits;
	size_t n_edits = ret_changes->n_edits;
	for (size_t i = 0, end; i < n_edits; i = end) {
		for (end = i + 1; end < n_edits; end++)
			if (strcmp(edits[end].source->realpath, edits[i].source->realpath) != 0)
				break;
		add_file(session, ret_changes, edits + i, end - i);
	}
	count_initializers(session, ret_changes);
}

/* --- the proof --- */

/* Whoever overrules the pin changes lists by hand: they may give other values until then. */
static bool leaves_lists(const struct rs_session *session)
{
	for (size_t i = 0; i < session->options.n_allowances; i++)
		if (strcmp(session->options.allowances[i].code, "positional-initializer") == 0)
			return true;
	return false;
}

static void add_lifting(struct rs_session *session, const struct rs_session_changes *changes,
			struct rs_lifting *lifting)
{
	struct rs_lifted *items = NULL;
	size_t capacity = 0;

	for (size_t p = 0; p < changes->n_picks; p++) {
		const struct rs_variant *variant = changes->picks[p].plan->variant;

		for (size_t i = 0; variant && i < variant->lifting.n_items; i++)
			*rs_array_push(session->arena, items, lifting->n_items, capacity) =
				variant->lifting.items[i];
	}
	lifting->items = items;
}

static struct rs_verify_context context_of(struct rs_session *session, const struct rs_session_changes *changes,
					   const char *without)
{
	struct rs_buffer *texts = rs_arena_array(session->arena, struct rs_buffer, changes->n_files);
	struct rs_verify_context context = { .texts = texts,
					     .list_paths = changes->list_paths,
					     .n_list_paths = changes->n_list_paths,
					     .compares_lists = !leaves_lists(session),
					     .compares_all_lists = changes->in_macros };

	add_lifting(session, changes, &context.lifting);
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

static void add_verification(struct proof *proof, struct rs_tu *tu, struct rs_verification verification)
{
	add_unit(proof, tu);
	*rs_array_push(proof->arena, proof->verifications, proof->n_verifications,
		       proof->verifications_capacity) = verification;
}

/* The record as the v-th configuration shows it; the last when there are fewer. */
static const struct rs_session_view *view_of(const struct rs_session_record *from, size_t view)
{
	return from->n_views > view ? &from->views[view] : NULL;
}

/* Each configuration of the record is to become one of the variant's. */
static void add_variant(struct proof *proof, const struct rs_session_record *from,
			const struct rs_plan_result *result)
{
	const struct rs_session_record *there = &result->variant->session->records[0];
	const struct rs_plan_view *views = rs_session_plan_views(result->variant->session, there);

	for (size_t v = 0; v <= from->n_views || v <= there->n_views; v++) {
		const struct rs_session_view *own = v > 0 ? view_of(from, v - 1) : NULL;
		struct rs_verification verification = { own ? own->record : from->record, result->plan,
							there->record, result->steps };

		if (v > 0 && v <= there->n_views) {
			struct rs_plan *plan = rs_arena_new(proof->arena, struct rs_plan);

			rs_agree_plan(proof->arena, there->record, &views[v - 1], result->plan, plan);
			verification.plan = plan;
			verification.base = views[v - 1].record;
		}
		add_verification(proof, own ? own->tu : from->tu, verification);
	}
}

/* A unit may show some of the records in one configuration and others in another. */
static void add_pick(struct rs_session *session, struct proof *proof, const struct rs_session_pick *pick)
{
	const struct rs_session_record *from = &session->records[pick->record];
	const struct rs_plan_view *views = rs_session_plan_views(session, from);

	if (pick->plan->variant) {
		add_variant(proof, from, pick->plan);
		return;
	}
	add_verification(proof, from->tu,
			 (struct rs_verification) { .record = from->record, .plan = pick->plan->plan });
	for (size_t v = 0; v < from->n_views; v++) {
		struct rs_plan *plan = rs_arena_new(proof->arena, struct rs_plan);

		rs_agree_plan(proof->arena, from->record, &views[v], pick->plan->plan, plan);
		add_verification(proof, from->views[v].tu,
				 (struct rs_verification) { .record = from->views[v].record, .plan = plan });
	}
}

static struct rs_error *check_possible(const struct rs_session_changes *changes)
{
	const struct rs_initializer *initializer = changes->initializers.impossible;

	if (changes->overlap)
		return rs_error_create(RS_ERROR_REJECTED, changes->overlap->path, 0, 0,
				       "the plans of several structs change the same lines of this file");
	if (!initializer)
		return NULL;
	struct rs_position at = rs_source_position(initializer->source, initializer->span.start);
	return rs_error_create(RS_ERROR_REJECTED, initializer->source->path, at.line, at.column,
			       "this initialiser cannot follow the order: %s", changes->initializers.reason);
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
		RS_TRY(rs_session_wake(session, proof.units[i]));
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

	RS_TRY(check_possible(changes));
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
