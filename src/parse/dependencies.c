#include "parse/dependencies.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/file.h"
#include "parse/identity.h"
#include "parse/include_names.h"
#include "parse/known_texts.h"
#include "parse/tu_state.h"

/* A name, by its text. */
struct name_slot {
	const char *text;
	size_t index;
	UT_hash_handle hh;
};

struct collection {
	const struct rs_tu *tu;
	const struct rs_buffer *buffers;
	size_t n_buffers;
	uint64_t started_ns;
	struct rs_arena *arena, *scratch;
	struct rs_dependencies *found;
	struct name_slot *names;
	struct rs_file_states *states;
	struct rs_include_folders folders;
};

/* --- files --- */

static bool is_buffer(const struct collection *collection, const char *path)
{
	for (size_t i = 0; i < collection->n_buffers; i++)
		if (strcmp(collection->buffers[i].path, path) == 0)
			return true;
	return false;
}

static bool is_new(const struct rs_inclusions *inclusions, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (rs_identity_is_same(inclusions->items[i].file, inclusions->items[index].file))
			return false;
	return true;
}

static size_t intern(struct collection *collection, const char *text)
{
	struct rs_dependencies *found = collection->found;
	struct name_slot *slot;

	HASH_FIND_STR(collection->names, text, slot);
	if (slot)
		return slot->index;
	slot = rs_arena_new(collection->scratch, struct name_slot);
	slot->text = rs_arena_strdup(collection->arena, text);
	slot->index = found->n_names;
	*rs_array_push(collection->arena, found->names, found->n_names, found->names_capacity) = slot->text;
	HASH_ADD_KEYPTR(hh, collection->names, slot->text, strlen(slot->text), slot);
	return slot->index;
}

/* The name to look for: that of the folder below `folder` that it needs, where there is none; then none of the
 * names in it can be there. */
static size_t name_to_probe(struct collection *collection, const char *folder, size_t index)
{
	const char *name = collection->found->names[index], *slash = strrchr(name, '/');

	if (!slash || slash == name)
		return index;
	const char *below = rs_arena_strndup(collection->scratch, name, (size_t)(slash - name));
	if (rs_file_states_has_folder(collection->states, folder, below))
		return index;
	return intern(collection, below);
}

static bool has_index(const size_t *indices, size_t count, size_t index)
{
	for (size_t i = 0; i < count; i++)
		if (indices[i] == index)
			return true;
	return false;
}

/* The names; those of missing folders once. */
static size_t choose_names(struct collection *collection, const char *folder, const size_t *names, size_t count,
			   size_t *chosen)
{
	size_t n_chosen = 0;

	for (size_t i = 0; i < count; i++) {
		size_t index = name_to_probe(collection, folder, names[i]);

		if (index == names[i] || !has_index(chosen, n_chosen, index))
			chosen[n_chosen++] = index;
	}
	return n_chosen;
}

static void add_probes(struct collection *collection, const char *folder, const size_t *names, size_t count)
{
	struct rs_dependencies *found = collection->found;
	size_t *chosen = rs_arena_array(collection->arena, size_t, count + 1), n_chosen = 1;

	if (rs_file_states_has_folder(collection->states, folder, ""))
		n_chosen = choose_names(collection, folder, names, count, chosen);
	else
		chosen[0] = intern(collection, ".");
	uint64_t *leads_to = rs_arena_array(collection->arena, uint64_t, n_chosen);
	for (size_t i = 0; i < n_chosen; i++) {
		const char *name = found->names[chosen[i]];

		leads_to[i] = rs_file_states_probe(collection->states, folder, name);
		if (rs_file_states_is_fresh(collection->states, folder, name, collection->started_ns))
			found->is_complete = false;
	}
	*rs_array_push(collection->arena, found->probes, found->n_probes, found->probes_capacity) =
		(struct rs_dependency_probes) { .folder = rs_arena_strdup(collection->arena, folder),
						.names = chosen,
						.leads_to = leads_to,
						.n_names = n_chosen };
}

/* Quoted names are looked for beside the file first. */
static void take_names(struct collection *collection, const char *name, const struct rs_include_names *names)
{
	size_t *quoted = rs_arena_array(collection->arena, size_t, names->n_items);
	size_t count = 0;

	for (size_t i = 0; i < names->n_items; i++) {
		size_t index = intern(collection, names->items[i].name);

		if (names->items[i].is_quoted)
			quoted[count++] = index;
	}
	if (count > 0)
		add_probes(collection, rs_path_directory(collection->scratch, name), quoted, count);
}

struct directives {
	struct rs_arena *arena;
	struct rs_include_names *names;
};

static enum CXVisitorResult take_directive(void *context, CXCursor cursor, CXSourceRange range)
{
	struct directives *directives = (struct directives *)context;
	const char *name = rs_tu_string(directives->arena, clang_getCursorSpelling(cursor));

	(void)range;
	for (int is_quoted = 0; is_quoted <= 1; is_quoted++)
		rs_include_names_add(directives->arena, directives->names, name, strlen(name), is_quoted);
	return CXVisit_Continue;
}

/* `#include MACRO`: what it came to be. Those that an #if switches off asked for nothing, and what the #if says
 * changes with the files alone. */
static void find_made_names(const struct collection *collection, CXFile file, struct rs_include_names *names)
{
	struct directives directives = { .arena = collection->scratch, .names = names };

	clang_findIncludesInFile(collection->tu->unit, file,
				 (CXCursorAndRangeVisitor) { &directives, take_directive });
}

static bool is_of_system(const char *path)
{
	return strncmp(path, "/usr/include/", 13) == 0 || strncmp(path, "/usr/lib/", 9) == 0;
}

/* False: the unit does not have its text. */
static bool read_text(const struct collection *collection, CXFile file, struct rs_known_text *text)
{
	size_t size = 0;
	const char *bytes = clang_getFileContents(collection->tu->unit, file, &size);

	if (!bytes)
		return false;
	*text = (struct rs_known_text) { .path = rs_tu_file_path(collection->tu, file, collection->arena),
					 .hash = rs_hash_bytes(bytes, size) };
	rs_include_names_find(collection->scratch, bytes, size, true, &text->names);
	return true;
}

static struct rs_include_names copy_names(const struct collection *collection,
					  const struct rs_include_names *names)
{
	struct rs_include_names copy = { .is_unsure = names->is_unsure, .asks_more = names->asks_more };

	for (size_t i = 0; i < names->n_items; i++)
		*rs_array_push(collection->scratch, copy.items, copy.n_items, copy.items_capacity) =
			names->items[i];
	return copy;
}

static void take_text(struct collection *collection, CXFile file, const char *name,
		      const struct rs_known_text *text, const struct rs_file_state *state)
{
	struct rs_dependencies *found = collection->found;
	struct rs_include_names names = text->names;

	if (names.is_unsure) {
		names = copy_names(collection, &text->names);
		find_made_names(collection, file, &names);
	}
	take_names(collection, name, &names);
	/* What the system's own headers ask for by a macro lies among them. */
	if (names.asks_more && !is_of_system(name))
		found->is_complete = false;
	if (is_buffer(collection, text->path))
		return;
	*rs_array_push(collection->arena, found->files, found->n_files, found->files_capacity) =
		(struct rs_dependency) { .name = name,
					 .path = rs_arena_strdup(collection->arena, text->path),
					 .state = *state,
					 .hash = text->hash };
}

static void take_file(struct collection *collection, CXFile file)
{
	const struct rs_tu *tu = collection->tu;
	const char *name = rs_tu_string(collection->arena, clang_getFileName(file));
	const struct rs_file_state state = rs_file_state_read(name, collection->started_ns);
	const struct rs_known_text *known = rs_known_texts_find(tu->parser->texts, tu, file, name, &state);
	struct rs_known_text text;

	if (known)
		take_text(collection, file, name, known, &state);
	else if (rs_tu_is_prelude(tu, file))
		return;
	else if (name[0] == '/' && read_text(collection, file, &text))
		take_text(collection, file, name, &text, &state);
	else
		collection->found->is_complete = false;
}

/* --- folders that no flag names --- */

/* Where a name was found shows a folder that is searched. */
static void learn_folder(struct collection *collection, const char *path, const char *name)
{
	size_t length = strlen(path), name_length = strlen(name);

	if (length <= name_length + 1 || strcmp(path + length - name_length, name) != 0 ||
	    path[length - name_length - 1] != '/')
		return;
	rs_include_folders_add(collection->scratch, &collection->folders,
			       rs_arena_strndup(collection->scratch, path, length - name_length - 1));
}

static void learn_folders(struct collection *collection, bool of_system_only)
{
	const struct rs_dependencies *found = collection->found;

	for (size_t f = 0; f < found->n_files; f++) {
		const char *path = found->files[f].name;

		if (of_system_only && strncmp(path, "/usr/", 5) != 0 && strncmp(path, "/opt/", 5) != 0)
			continue;
		for (size_t n = 0; n < found->n_names; n++)
			learn_folder(collection, path, found->names[n]);
	}
}

static void probe_folders(struct collection *collection)
{
	const struct rs_dependencies *found = collection->found;
	size_t n_names = found->n_names; /* those of missing folders are added behind them */
	size_t *all = rs_arena_array(collection->scratch, size_t, n_names);

	for (size_t i = 0; i < n_names; i++)
		all[i] = i;
	for (size_t i = 0; i < collection->folders.folders.n_items; i++)
		add_probes(collection, collection->folders.folders.items[i], all, n_names);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct rs_dependency *)a)->path, ((const struct rs_dependency *)b)->path);
}

void rs_dependencies_collect(const struct rs_tu *tu, const struct rs_buffer *buffers, size_t n_buffers,
			     uint64_t started_ns, struct rs_file_states *states, struct rs_arena *arena,
			     struct rs_dependencies *ret_dependencies)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct collection collection = { .tu = tu,
					 .buffers = buffers,
					 .n_buffers = n_buffers,
					 .started_ns = started_ns,
					 .arena = arena,
					 .scratch = scratch,
					 .found = ret_dependencies,
					 .states = states };

	rs_file_states_renew(states);
	*ret_dependencies = (struct rs_dependencies) { .is_complete = true };
	for (size_t i = 0; i < tu->inclusions.n_items; i++)
		if (is_new(&tu->inclusions, i))
			take_file(&collection, tu->inclusions.items[i].file);
	rs_include_folders_find(scratch, &tu->flags, tu->parser->resource_directory, &collection.folders);
	if (collection.folders.is_unsure)
		ret_dependencies->is_complete = false;
	learn_folders(&collection, true);
	probe_folders(&collection);
	HASH_CLEAR(hh, collection.names);
	if (ret_dependencies->n_files > 0)
		qsort(ret_dependencies->files, ret_dependencies->n_files, sizeof(struct rs_dependency),
		      by_path);
}

/* --- later --- */

static bool file_holds(struct rs_dependency *file, struct rs_file_states *states, bool *is_refreshed)
{
	const struct rs_file_state *now = rs_file_states_find(states, file->name);
	uint64_t hash;

	if (!now->exists)
		return false;
	if (file->state.is_settled && rs_file_state_is_same(now, &file->state))
		return true;
	if (!rs_file_states_hash(states, file->name, &hash) || hash != file->hash)
		return false;
	*is_refreshed = *is_refreshed || now->is_settled;
	file->state = *now;
	return true;
}

static bool probes_hold(const struct rs_dependencies *dependencies, const struct rs_dependency_probes *probes,
			struct rs_file_states *states)
{
	for (size_t i = 0; i < probes->n_names; i++)
		if (rs_file_states_probe(states, probes->folder, dependencies->names[probes->names[i]]) !=
		    probes->leads_to[i])
			return false;
	return true;
}

bool rs_dependencies_hold(struct rs_dependencies *dependencies, struct rs_file_states *states,
			  bool *ret_is_refreshed)
{
	*ret_is_refreshed = false;
	if (!dependencies->is_complete)
		return false;
	for (size_t i = 0; i < dependencies->n_files; i++)
		if (!file_holds(&dependencies->files[i], states, ret_is_refreshed))
			return false;
	for (size_t i = 0; i < dependencies->n_probes; i++)
		if (!probes_hold(dependencies, &dependencies->probes[i], states))
			return false;
	return true;
}

bool rs_dependencies_has(const struct rs_dependencies *dependencies, const char *path,
			 struct rs_file_states *states)
{
	const struct rs_dependency wanted = { .path = path };
	const struct rs_file_state *now;

	if (dependencies->n_files > 0 &&
	    bsearch(&wanted, dependencies->files, dependencies->n_files, sizeof wanted, by_path) != NULL)
		return true;
	now = rs_file_states_find(states, path);
	for (size_t i = 0; i < dependencies->n_files; i++)
		if (dependencies->files[i].state.inode == now->inode &&
		    dependencies->files[i].state.device == now->device)
			return now->exists;
	return !now->exists;
}

/* --- as bytes --- */

static void put_state(const struct rs_file_state *state, struct rs_builder *out)
{
	rs_wire_put_number(out, state->exists);
	rs_wire_put_number(out, state->is_settled);
	rs_wire_put_number(out, state->device);
	rs_wire_put_number(out, state->inode);
	rs_wire_put_number(out, state->size);
	rs_wire_put_number(out, state->mtime_ns);
	rs_wire_put_number(out, state->ctime_ns);
}

static struct rs_file_state get_state(struct rs_wire *wire)
{
	struct rs_file_state state = { 0 };

	state.exists = rs_wire_get_bool(wire);
	state.is_settled = rs_wire_get_bool(wire);
	state.device = rs_wire_get_number(wire);
	state.inode = rs_wire_get_number(wire);
	state.size = rs_wire_get_number(wire);
	state.mtime_ns = rs_wire_get_number(wire);
	state.ctime_ns = rs_wire_get_number(wire);
	return state;
}

void rs_dependencies_put(const struct rs_dependencies *dependencies, struct rs_builder *out)
{
	rs_wire_put_number(out, dependencies->is_complete);
	rs_wire_put_number(out, dependencies->n_files);
	for (size_t i = 0; i < dependencies->n_files; i++) {
		const struct rs_dependency *file = &dependencies->files[i];

		rs_wire_put_text(out, file->path);
		rs_wire_put_text(out, strcmp(file->name, file->path) == 0 ? NULL : file->name);
		put_state(&file->state, out);
		rs_wire_put_number(out, file->hash);
	}
	rs_wire_put_number(out, dependencies->n_names);
	for (size_t i = 0; i < dependencies->n_names; i++)
		rs_wire_put_text(out, dependencies->names[i]);
	rs_wire_put_number(out, dependencies->n_probes);
	for (size_t p = 0; p < dependencies->n_probes; p++) {
		const struct rs_dependency_probes *probes = &dependencies->probes[p];

		rs_wire_put_text(out, probes->folder);
		rs_wire_put_number(out, probes->n_names);
		for (size_t i = 0; i < probes->n_names; i++) {
			rs_wire_put_number(out, probes->names[i]);
			rs_wire_put_number(out, probes->leads_to[i]);
		}
	}
}

static void get_files(struct rs_wire *wire, struct rs_arena *arena, struct rs_dependencies *dependencies)
{
	size_t count = rs_wire_get_count(wire);

	dependencies->files = rs_arena_array(arena, struct rs_dependency, count);
	for (size_t i = 0; i < count && !wire->is_broken; i++) {
		struct rs_dependency *file = &dependencies->files[i];

		file->path = rs_wire_get_string(wire, arena);
		file->name = rs_wire_get_text(wire, arena);
		if (!file->name)
			file->name = file->path;
		file->state = get_state(wire);
		file->hash = rs_wire_get_number(wire);
		dependencies->n_files++;
	}
}

static void get_probes(struct rs_wire *wire, struct rs_arena *arena, const struct rs_dependencies *dependencies,
		       struct rs_dependency_probes *probes)
{
	probes->folder = rs_wire_get_string(wire, arena);
	size_t count = rs_wire_get_count(wire);
	size_t *names = rs_arena_array(arena, size_t, count);
	uint64_t *leads_to = rs_arena_array(arena, uint64_t, count);

	for (size_t i = 0; i < count && !wire->is_broken; i++) {
		names[i] = (size_t)rs_wire_get_limited(wire, dependencies->n_names - 1);
		leads_to[i] = rs_wire_get_number(wire);
	}
	probes->names = names;
	probes->leads_to = leads_to;
	probes->n_names = wire->is_broken || dependencies->n_names == 0 ? 0 : count;
}

void rs_dependencies_get(struct rs_wire *wire, struct rs_arena *arena, struct rs_dependencies *ret_dependencies)
{
	*ret_dependencies = (struct rs_dependencies) { .is_complete = rs_wire_get_bool(wire) };
	get_files(wire, arena, ret_dependencies);
	size_t n_names = rs_wire_get_count(wire);
	ret_dependencies->names = rs_arena_array(arena, const char *, n_names);
	for (size_t i = 0; i < n_names && !wire->is_broken; i++)
		ret_dependencies->names[ret_dependencies->n_names++] = rs_wire_get_string(wire, arena);
	size_t n_probes = rs_wire_get_count(wire);
	ret_dependencies->probes = rs_arena_array(arena, struct rs_dependency_probes, n_probes);
	for (size_t i = 0; i < n_probes && !wire->is_broken; i++)
		get_probes(wire, arena, ret_dependencies,
			   &ret_dependencies->probes[ret_dependencies->n_probes++]);
}
