#include "session/lift.h"

#include <stdarg.h>
#include <string.h>

#include "base/path.h"
#include "parse/file_states.h"
#include "record/hazards.h"
#include "rewrite/lift_check.h"
#include "session/lift_held.h"
#include "session/lift_words.h"
#include "session/mirrors.h"

/* --- containers --- */

struct lifting {
	struct rs_session *session;
	const struct rs_session_record *from;
	struct rs_lift_outcome *outcome;
	const struct rs_record **records; /* the record, then its containers */
	size_t n_records;
	struct rs_alteration *steps;
	struct rs_lift_request request;
};

static RS_PRINTF(4, 5) bool refuse(struct lifting *lifting, const char *file, unsigned line, const char *format,
				   ...)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder reason = { 0 };
	va_list arguments;

	va_start(arguments, format);
	rs_builder_vprintf(&reason, format, arguments);
	va_end(arguments);
	lifting->outcome->texts.refusal = rs_arena_strdup(lifting->session->arena, reason.data);
	lifting->outcome->file = file;
	lifting->outcome->line = line;
	return false;
}

static bool refuse_at(struct lifting *lifting, const struct rs_source *source, size_t byte, const char *reason)
{
	return refuse(lifting, source->path, rs_source_position(source, byte).line, "%s", reason);
}

static struct rs_error *find_container(struct lifting *lifting, const char *name,
				       const struct rs_record **ret_container)
{
	for (size_t i = 1; i < lifting->n_records; i++)
		if (strcmp(lifting->records[i]->name, name) == 0) {
			*ret_container = lifting->records[i];
			return NULL;
		}
	RS_TRY(rs_session_find_container(lifting->session, lifting->from->tu, name, ret_container));
	if (*ret_container)
		lifting->records[lifting->n_records++] = *ret_container;
	return NULL;
}

/* The one member of the container that is the record; RS_NONE: there is none, or several. */
static size_t find_through(const struct rs_record *container, const char *record)
{
	size_t found = RS_NONE, count = 0;

	for (size_t m = 0; m < container->n_members; m = rs_record_next_sibling(container, m)) {
		const char *type = container->members[m].type;

		if (strncmp(type, "struct ", 7) == 0)
			type += 7;
		if (strcmp(type, record) != 0 || !container->members[m].path[0])
			continue;
		found = m;
		count++;
	}
	return count == 1 ? found : RS_NONE;
}

static bool refuse_record(struct lifting *lifting, const struct rs_record *record, const char *name,
			  const char *what)
{
	return refuse(lifting, record->source->path,
		      rs_source_position(record->source, record->span.start).line, "struct '%s' has %s '%s'%s",
		      record->name, what, name, strncmp(what, "no", 2) == 0 ? " of its own" : " already");
}

/* A member that may leave the record that it stands in. */
static const struct rs_member *find_leaving(struct lifting *lifting, const struct rs_record *record,
					    const char *name)
{
	size_t member = rs_record_find_member(record, name);
	const struct rs_member *own = member == RS_NONE ? NULL : &record->members[member];

	if (!own || own->parent != RS_NONE)
		refuse_record(lifting, record, name, "no member");
	else if (member == 0)
		refuse_at(lifting, record->source, own->byte,
			  "it is the first member, which may stand for the struct");
	else
		return own;
	return NULL;
}

static bool check_member(struct lifting *lifting, const struct rs_record *container, const char *name,
			 const struct rs_member **first)
{
	const struct rs_member *own = find_leaving(lifting, container, name);

	if (!own)
		return false;
	if (!*first)
		*first = own;
	if (strcmp((*first)->type, own->type) == 0 && (*first)->align_bytes == own->align_bytes)
		return true;
	return refuse(lifting, container->source->path, own->line, "'%s' is %s, but '%s' is %s", name,
		      own->type, (*first)->name, (*first)->type);
}

static const struct rs_profile_struct *profile_of(const struct lifting *lifting)
{
	const struct rs_session *session = lifting->session;

	return session->has_profile ? rs_profile_find(&session->profile, lifting->from->record->name) : NULL;
}

/* What paths do to the member would be done nowhere if its container were none of the placement. */
static bool is_placed(const struct lifting *lifting, const char *container)
{
	const struct rs_profile_struct *type = profile_of(lifting);

	for (size_t b = 0; type && b < type->placement.n_bases; b++)
		if (type->placement.bases[b].container && type->placement.bases[b].member &&
		    strcmp(type->placement.bases[b].container, container) == 0)
			return true;
	return !type;
}

static bool check_room(struct lifting *lifting, const struct rs_record *container, const char *name)
{
	if (rs_record_find_member(container, name) != RS_NONE)
		return refuse_record(lifting, container, name, "a member");
	return is_placed(lifting, container->name) ||
	       refuse(lifting, container->source->path,
		      rs_source_position(container->source, container->span.start).line,
		      "the profile's placement says nothing of struct '%s' (embedded_in and member)",
		      container->name);
}

static struct rs_error *resolve_field(struct lifting *lifting, struct rs_alteration *step, size_t field,
				      const char **through, const struct rs_member **first, bool *ret_fits)
{
	const char *dot = strchr(step->fields[field], '.');
	const char *name = rs_arena_strndup(lifting->session->arena, step->fields[field],
					    (size_t)(dot - step->fields[field]));
	const struct rs_record *record = lifting->from->record, *container = NULL;
	size_t at;

	*ret_fits = false;
	RS_TRY(find_container(lifting, name, &container));
	if (!container) {
		refuse(lifting, record->source->path, 0, "struct '%s' is not defined in what is read (--uses)",
		       name);
		return NULL;
	}
	if (container->is_typedef || record->is_typedef) {
		refuse(lifting, container->source->path, 0, "struct '%s' has no tag",
		       container->is_typedef ? container->name : record->name);
		return NULL;
	}
	at = find_through(container, record->name);
	if (at == RS_NONE) {
		refuse(lifting, container->source->path,
		       rs_source_position(container->source, container->span.start).line,
		       "struct '%s' has not just one member that is struct '%s'", name, record->name);
		return NULL;
	}
	through[field] = container->members[at].path;
	*ret_fits = step->kind == RS_OPERATION_LOWER ? check_room(lifting, container, dot + 1)
						     : check_member(lifting, container, dot + 1, first);
	return NULL;
}

/* The record's member is to be one that can leave; for LIFT there must be none of that name yet. */
static bool check_own(struct lifting *lifting, const struct rs_alteration *step)
{
	const struct rs_record *record = lifting->from->record;
	const struct rs_member *own;
	struct rs_pin why;

	if (step->kind != RS_OPERATION_LOWER)
		return rs_record_find_member(record, step->name) == RS_NONE ||
		       refuse_record(lifting, record, step->name, "a member");
	own = find_leaving(lifting, record, step->name);
	if (!own || !rs_lift_is_held(profile_of(lifting), record, own, &why))
		return own != NULL;
	return refuse(lifting, why.file, why.line, "%s (%s)", why.message, why.code);
}

static struct rs_error *resolve_step(struct lifting *lifting, struct rs_alteration *step, bool *ret_fits)
{
	const struct rs_record *record = lifting->from->record;
	const char **through = rs_arena_array(lifting->session->arena, const char *, step->n_fields);
	const struct rs_member *first = NULL;

	step->through = through;
	*ret_fits = true;
	for (size_t f = 0; f < step->n_fields && *ret_fits; f++)
		*ret_fits =
			strchr(step->fields[f], '.') != NULL ||
			refuse(lifting, record->source->path, 0, "'%s' names no container", step->fields[f]);
	for (size_t f = 0; f < step->n_fields && *ret_fits; f++)
		RS_TRY(resolve_field(lifting, step, f, through, &first, ret_fits));
	*ret_fits = *ret_fits && check_own(lifting, step);
	return NULL;
}

static struct rs_error *resolve(struct lifting *lifting, struct rs_alterations steps, bool *ret_fits)
{
	size_t n_fields = 0;

	for (size_t i = 0; i < steps.n_items; i++)
		n_fields += steps.items[i].n_fields;
	lifting->records = rs_arena_array(lifting->session->arena, const struct rs_record *, n_fields + 1);
	lifting->records[lifting->n_records++] = lifting->from->record;
	lifting->steps = rs_arena_array(lifting->session->arena, struct rs_alteration, steps.n_items);
	*ret_fits = true;
	for (size_t i = 0; i < steps.n_items && *ret_fits; i++) {
		lifting->steps[i] = steps.items[i];
		if (rs_lift_words_ask((struct rs_alterations) { &steps.items[i], 1 }) &&
		    steps.items[i].kind == steps.items[0].kind)
			RS_TRY(resolve_step(lifting, &lifting->steps[i], ret_fits));
		else
			*ret_fits = refuse(lifting, lifting->from->record->source->path, 0,
					   "members are lifted, or lowered, without other steps");
	}
	lifting->outcome->steps = (struct rs_alterations) { lifting->steps, steps.n_items };
	if (*ret_fits)
		lifting->outcome->lifting = rs_lift_names(lifting->session->arena, lifting->outcome->steps,
							  lifting->from->record->name);
	return NULL;
}

/* --- the units --- */

typedef struct rs_error *(*unit_fn)(struct lifting *lifting, struct rs_tu *tu, void *context);

static bool reads_record(const struct lifting *lifting, const struct rs_tu *tu)
{
	return rs_tu_reads(tu, lifting->from->record->source->realpath);
}

/* A unit that does not parse may name the members all the same. */
static void check_unread(struct lifting *lifting, const char *file)
{
	for (size_t i = 1; i < lifting->n_records; i++)
		if (rs_session_spells(file, &lifting->records[i]->name, 1, true))
			refuse(lifting, file, 0, "this source does not parse, and names struct '%s'",
			       lifting->records[i]->name);
}

static struct rs_error *visit_source(struct lifting *lifting, const struct rs_session_source *source,
				     struct rs_file_states *states, unit_fn visit, void *context)
{
	RS_CLEANUP(rs_tu_destroyp) struct rs_tu *tu = NULL;

	if (source->is_open)
		return NULL;
	if (source->facts.failure) {
		check_unread(lifting, source->unit->file);
		return NULL;
	}
	if (!rs_dependencies_has(source->dependencies, lifting->from->record->source->realpath, states))
		return NULL;
	RS_TRY(rs_scan_unit_open_replaced(lifting->session->parser, source->unit, source->facts.has_prelude,
					  lifting->session->options.parse.buffers,
					  lifting->session->options.parse.n_buffers, &tu));
	return visit(lifting, tu, context);
}

static bool is_open(const struct rs_session *session, const char *path)
{
	const char *canonical = rs_path_canonical(session->arena, path);

	for (size_t i = 0; i < session->n_tus; i++)
		if (strcmp(session->tus[i].file, canonical) == 0 ||
		    strcmp(rs_tu_main_file(session->tus[i].tu), canonical) == 0)
			return true;
	return false;
}

/* Sources of --uses that could not be opened. */
static void check_contexts(struct lifting *lifting)
{
	const struct rs_parse_options *parse = &lifting->session->options.parse;

	for (size_t i = 0; i < parse->n_contexts && !lifting->outcome->texts.refusal; i++)
		if (!is_open(lifting->session, parse->contexts[i]))
			check_unread(lifting, parse->contexts[i]);
}

/* Every unit at hand that reads the record, until one refuses. */
static struct rs_error *visit_units(struct lifting *lifting, unit_fn visit, void *context)
{
	RS_CLEANUP(rs_file_states_destroyp) struct rs_file_states *states = rs_file_states_create();
	struct rs_session *session = lifting->session;

	for (size_t i = 0; i < session->n_tus && !lifting->outcome->texts.refusal; i++) {
		if (!reads_record(lifting, session->tus[i].tu))
			continue;
		RS_TRY(rs_session_wake(session, session->tus[i].tu));
		RS_TRY(visit(lifting, session->tus[i].tu, context));
	}
	for (size_t i = 0; i < session->n_sources && !lifting->outcome->texts.refusal; i++)
		RS_TRY(visit_source(lifting, &session->sources[i], states, visit, context));
	return NULL;
}

/* --- what holds the members where they are --- */

/* What these say of a container holds without its members, too. */
static bool is_harmless(const char *code)
{
	static const char *const codes[] = { "first-member-cast", "flexible-array-last",
					     "positional-initializer", "unaligned-allocation" };

	for (size_t i = 0; i < RS_COUNT_OF(codes); i++)
		if (strcmp(codes[i], code) == 0)
			return true;
	return false;
}

static void refuse_for(struct lifting *lifting, const struct rs_record *container,
		       const struct rs_pin_list *list)
{
	for (size_t i = 0; i < list->n_pins && !lifting->outcome->texts.refusal; i++) {
		const struct rs_pin *pin = &list->pins[i];

		if (pin->strength != RS_PIN_ADVICE && !is_harmless(pin->code))
			refuse(lifting, pin->file ? pin->file : container->source->path, pin->line,
			       "struct '%s': %s (%s)", container->name, pin->message, pin->code);
	}
}

struct searching {
	struct rs_lift_search *search;
	struct rs_pin_list *lists; /* of the containers */
	struct rs_initializer_list *initializers;
};

static struct rs_error *search_unit(struct lifting *lifting, struct rs_tu *tu, void *context)
{
	struct searching *searching = (struct searching *)context;
	size_t n_containers = lifting->n_records - 1;

	RS_TRY(rs_lift_search_unit(searching->search, tu));
	rs_uses_find(tu, lifting->records + 1, n_containers, lifting->session->root, searching->lists,
		     searching->initializers);
	for (size_t i = 0; i < n_containers; i++)
		refuse_for(lifting, lifting->records[i + 1], &searching->lists[i]);
	return NULL;
}

static void init_lists(struct lifting *lifting, struct searching *searching)
{
	struct rs_session *session = lifting->session;
	size_t n_containers = lifting->n_records - 1;

	searching->lists = rs_arena_array(session->arena, struct rs_pin_list, n_containers);
	searching->initializers = rs_arena_array(session->arena, struct rs_initializer_list, n_containers);
	for (size_t i = 0; i < n_containers; i++) {
		searching->lists[i].arena = searching->initializers[i].arena = session->arena;
		rs_hazards_find(&searching->lists[i], lifting->records[i + 1]);
	}
	rs_mirrors_find(session->arena, session->root, lifting->records + 1, n_containers, searching->lists,
			&session->notes);
	for (size_t i = 0; i < n_containers; i++) {
		struct rs_pin_list own = { .pins = (struct rs_pin *)(uintptr_t)lifting->records[i + 1]->pins,
					   .n_pins = lifting->records[i + 1]->n_pins };

		if (rs_record_is_refused(lifting->records[i + 1]))
			refuse_for(lifting, lifting->records[i + 1], &own);
		refuse_for(lifting, lifting->records[i + 1], &searching->lists[i]);
	}
}

static struct rs_error *search(struct lifting *lifting)
{
	struct rs_session *session = lifting->session;
	const struct rs_pin_list *pins;
	struct searching searching = {
		.search = rs_lift_search_create(session->arena, lifting->records, lifting->n_records,
						lifting->outcome->lifting, session->root),
	};

	init_lists(lifting, &searching);
	check_contexts(lifting);
	RS_TRY(visit_units(lifting, search_unit, &searching));
	if (lifting->outcome->texts.refusal)
		return NULL;
	rs_lift_search_finish(searching.search, &lifting->request.files, &lifting->request.n_files, &pins);
	lifting->outcome->losers = rs_lift_search_losers(searching.search);
	if (pins->n_pins > 0)
		refuse(lifting, pins->pins[0].file, pins->pins[0].line, "%s (%s)", pins->pins[0].message,
		       pins->pins[0].code);
	return NULL;
}

/* --- the texts --- */

static void write_texts(struct lifting *lifting)
{
	struct rs_lift_texts *texts = &lifting->outcome->texts;

	lifting->request.record = lifting->from->record;
	lifting->request.containers = lifting->records + 1;
	lifting->request.n_containers = lifting->n_records - 1;
	lifting->request.steps = lifting->outcome->steps;
	lifting->request.lifting = lifting->outcome->lifting;
	rs_lift_rewrite(lifting->session->arena, &lifting->request, texts);
	if (texts->refusal)
		refuse_at(lifting, texts->where, texts->refusal_byte, texts->refusal);
	for (size_t i = 0; !texts->refusal && i < texts->n_texts; i++)
		if (rs_path_below(texts->before[i]->realpath, lifting->session->root) ==
		    texts->before[i]->realpath)
			refuse(lifting, texts->before[i]->path, 0, "the file lies outside the project root");
}

static struct rs_error *check_structs(struct lifting *lifting, struct rs_tu *after)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	for (size_t i = 0; i < lifting->n_records; i++) {
		const struct rs_record *old = lifting->records[i];
		const struct rs_record_query query = { .file = old->source->realpath, .name = old->name };
		const struct rs_record **now;
		const char *reason = NULL;
		size_t count;

		if (!rs_tu_reads(after, old->source->realpath))
			continue;
		RS_TRY(rs_records_find(after, arena, &query, &now, &count));
		if (count != 1)
			continue;
		reason = rs_lift_check_others(arena, lifting->outcome->lifting, old, now[0]);
		if (!reason)
			reason = rs_lift_check_arrived(arena, &lifting->request, now[0]);
		if (reason)
			return rs_error_create(RS_ERROR_REJECTED, old->source->path, 0, 0, "struct '%s': %s",
					       old->name, reason);
	}
	return NULL;
}

static struct rs_error *prove_unit(struct lifting *lifting, struct rs_tu *tu, void *context)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_tu_destroyp) struct rs_tu *after = NULL;
	const struct rs_lift_texts *texts = &lifting->outcome->texts;
	const struct rs_verify_context nothing = { 0 };
	struct rs_buffer *buffers = rs_arena_array(arena, struct rs_buffer, texts->n_texts);
	const struct rs_lift_meaning *before = rs_lift_read(tu, arena, lifting->outcome->lifting);
	const struct rs_diagnostic *said;
	size_t n_said;

	(void)context;
	for (size_t i = 0; i < texts->n_texts; i++)
		buffers[i] = (struct rs_buffer) { texts->after[i]->realpath, texts->after[i]->text,
						  texts->after[i]->size };
	said = rs_tu_diagnostics(tu, &n_said);
	RS_TRY(rs_tu_reopen(tu, buffers, texts->n_texts, &after));
	RS_TRY(rs_verify_unit(after, said, n_said, NULL, &nothing));
	RS_TRY(rs_lift_compare(before, after, lifting->outcome->lifting));
	return check_structs(lifting, after);
}

/* What the compiler says against it is a refusal, too. */
static struct rs_error *prove(struct lifting *lifting)
{
	struct rs_error *error = visit_units(lifting, prove_unit, NULL);

	if (!error || (error->code != RS_ERROR_REJECTED && error->code != RS_ERROR_PARSE))
		return error;
	refuse(lifting, error->path ? rs_arena_strdup(lifting->session->arena, error->path) : NULL, error->line,
	       "%s", error->message);
	rs_error_destroy(error);
	return NULL;
}

struct rs_error *rs_lift_carry_out(struct rs_session *session, const struct rs_session_record *from,
				   struct rs_alterations steps, struct rs_lift_outcome *ret_outcome)
{
	struct lifting lifting = { .session = session, .from = from, .outcome = ret_outcome };
	bool fits;

	*ret_outcome = (struct rs_lift_outcome) { .steps = steps };
	RS_TRY(resolve(&lifting, steps, &fits));
	if (!fits)
		return NULL;
	RS_TRY(search(&lifting));
	if (!ret_outcome->texts.refusal)
		write_texts(&lifting);
	return ret_outcome->texts.refusal ? NULL : prove(&lifting);
}
