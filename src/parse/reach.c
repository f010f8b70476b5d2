#include "parse/reach.h"

#include <string.h>

#include <uthash.h>

#include "base/file.h"
#include "parse/file_states.h"
#include "parse/include_names.h"
#include "parse/tu_state.h"

/* One file of the tree, read once. */
struct text {
	const char *path;
	struct rs_include_names names;
	bool is_wanted;
	bool is_unsure;
	UT_hash_handle hh;
};

/* A file as it is read with one set of folders: what it leads to. */
struct node {
	const char *path; /* as it would be opened: quoted names are looked for beside it */
	const struct text *text;
	struct node **leads_to;
	size_t n_leads_to, leads_to_capacity;
	bool is_open;        /* leads_to is known */
	bool has_unresolved; /* includes a name that is nowhere */
	unsigned visit;
	UT_hash_handle hh;
};

/* Units with the same folders. */
struct group {
	struct rs_include_folders folders;
	struct node *nodes;
	struct group *next;
};

struct rs_reach {
	const struct rs_parser *parser;
	struct rs_arena *arena;
	struct rs_file_states *states;
	const char *const *files;
	size_t n_files;
	const char *const *words;
	size_t n_words;
	struct text *texts;
	struct group *groups;
	unsigned visit;
};

/* Nodes that were met and not looked at yet. */
struct queue {
	struct rs_arena *arena;
	struct node **items;
	size_t n_items, items_capacity;
};

struct rs_reach *rs_reach_create(const struct rs_parser *parser, const char *const *files, size_t n_files,
				 const char *const *words, size_t n_words)
{
	struct rs_arena *arena = rs_arena_create();
	struct rs_reach *reach = rs_arena_new(arena, struct rs_reach);

	*reach = (struct rs_reach) { .parser = parser,
				     .arena = arena,
				     .states = rs_file_states_create(),
				     .files = files,
				     .n_files = n_files,
				     .words = words,
				     .n_words = n_words };
	return reach;
}

void rs_reach_destroy(struct rs_reach *reach)
{
	if (!reach)
		return;
	for (struct group *group = reach->groups; group; group = group->next)
		HASH_CLEAR(hh, group->nodes);
	HASH_CLEAR(hh, reach->texts);
	rs_file_states_destroy(reach->states);
	rs_arena_destroy(reach->arena);
}

void rs_reach_destroyp(struct rs_reach **reach)
{
	rs_reach_destroy(*reach);
}

/* --- files --- */

static bool is_wanted(struct rs_reach *reach, const char *path)
{
	const struct rs_file_state *found = rs_file_states_find(reach->states, path);

	for (size_t i = 0; i < reach->n_files; i++) {
		const struct rs_file_state *wanted = rs_file_states_find(reach->states, reach->files[i]);

		if (strcmp(path, reach->files[i]) == 0 ||
		    (found->exists && wanted->exists && found->inode == wanted->inode &&
		     found->device == wanted->device))
			return true;
	}
	return false;
}

static bool read_file(const struct rs_reach *reach, struct rs_arena *arena, const char *path,
		      const char **ret_text, size_t *ret_size)
{
	const struct rs_parse_options *options = &reach->parser->options;
	const char *canonical = options->n_buffers > 0 ? rs_path_canonical(arena, path) : path;
	char *text;

	for (size_t i = 0; i < options->n_buffers; i++)
		if (strcmp(options->buffers[i].path, canonical) == 0) {
			*ret_text = options->buffers[i].text;
			*ret_size = options->buffers[i].size;
			return true;
		}
	struct rs_error *error = rs_file_read(arena, path, &text, ret_size);
	if (error) {
		rs_error_destroy(error);
		return false;
	}
	*ret_text = text;
	return true;
}

static const struct text *find_text(struct rs_reach *reach, const char *path)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct text *text;
	const char *bytes;
	size_t size;

	HASH_FIND_STR(reach->texts, path, text);
	if (text)
		return text;
	text = rs_arena_new(reach->arena, struct text);
	text->path = rs_arena_strdup(reach->arena, path);
	text->is_wanted = is_wanted(reach, path);
	if (read_file(reach, scratch, path, &bytes, &size)) {
		rs_include_names_find(reach->arena, bytes, size, false, &text->names);
		text->is_unsure = text->names.is_unsure;
	} else {
		text->is_unsure = true;
	}
	HASH_ADD_KEYPTR(hh, reach->texts, text->path, strlen(text->path), text);
	return text;
}

static struct node *find_node(struct rs_reach *reach, struct group *group, const char *path)
{
	struct node *node;

	HASH_FIND_STR(group->nodes, path, node);
	if (node)
		return node;
	node = rs_arena_new(reach->arena, struct node);
	node->path = rs_arena_strdup(reach->arena, path);
	node->text = find_text(reach, path);
	HASH_ADD_KEYPTR(hh, group->nodes, node->path, strlen(node->path), node);
	return node;
}

/* --- what leads where --- */

/* In the folder, if something is there. */
static bool add_candidate(struct rs_reach *reach, struct group *group, struct node *node, const char *folder,
			  const char *name)
{
	uint64_t leads_to = rs_file_states_probe(reach->states, folder, name);

	if (leads_to == 0 || leads_to == 1)
		return false;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	char *path = name[0] == '/' ? rs_arena_strdup(scratch, name)
				    : rs_arena_printf(scratch, "%s/%s", folder, name);
	*rs_array_push(reach->arena, node->leads_to, node->n_leads_to, node->leads_to_capacity) =
		find_node(reach, group, path);
	return true;
}

static bool in_buffers(const struct rs_reach *reach, const char *name)
{
	const struct rs_parse_options *options = &reach->parser->options;
	const char *base = rs_path_basename(name);

	for (size_t i = 0; i < options->n_buffers; i++)
		if (strcmp(rs_path_basename(options->buffers[i].path), base) == 0)
			return true;
	return false;
}

static void resolve(struct rs_reach *reach, struct group *group, struct node *node, const char *folder,
		    const char *name)
{
	bool is_found = add_candidate(reach, group, node, folder, name);

	for (size_t i = 0; i < group->folders.folders.n_items; i++)
		if (add_candidate(reach, group, node, group->folders.folders.items[i], name))
			is_found = true;
	/* A buffer may stand for a file that is not there. */
	if (!is_found || in_buffers(reach, name))
		node->has_unresolved = true;
}

static void open_node(struct rs_reach *reach, struct group *group, struct node *node)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	const struct rs_include_names *names = &node->text->names;
	const char *folder = rs_path_directory(scratch, node->path);

	node->is_open = true;
	for (size_t i = 0; i < names->n_items; i++)
		resolve(reach, group, node, folder, names->items[i].name);
}

/* --- units --- */

static bool same_folders(const struct rs_include_folders *a, const struct rs_include_folders *b)
{
	if (a->folders.n_items != b->folders.n_items)
		return false;
	for (size_t i = 0; i < a->folders.n_items; i++)
		if (strcmp(a->folders.items[i], b->folders.items[i]) != 0)
			return false;
	return true;
}

static struct group *find_group(struct rs_reach *reach, const struct rs_include_folders *folders)
{
	struct group *group = reach->groups;

	while (group && !same_folders(&group->folders, folders))
		group = group->next;
	if (group)
		return group;
	group = rs_arena_new(reach->arena, struct group);
	*group = (struct group) { .folders = *folders, .next = reach->groups };
	reach->groups = group;
	return group;
}

/* Flags by which headers come from where the folders do not show it. */
static bool is_unusual(const struct rs_scan_unit *unit, const struct rs_include_folders *folders)
{
	for (size_t i = 0; i < unit->flags.words.n_items; i++)
		if (strncmp(unit->flags.words.items[i], "-fms-", 5) == 0)
			return true;
	for (size_t i = 0; i < folders->folders.n_items; i++)
		if (folders->folders.items[i][0] != '/')
			return true;
	return folders->is_unsure;
}

static void meet(struct rs_reach *reach, struct queue *queue, struct node *node)
{
	if (node->visit == reach->visit)
		return;
	node->visit = reach->visit;
	*rs_array_push(queue->arena, queue->items, queue->n_items, queue->items_capacity) = node;
}

/* What -include names; false: it is nowhere. */
static bool meet_flags(struct rs_reach *reach, struct group *group, const struct rs_scan_unit *unit,
		       struct queue *queue)
{
	const struct rs_words *words = &unit->flags.words;

	for (size_t i = 0; i + 3 < words->n_items; i++) {
		if (strcmp(words->items[i], "-Xclang") != 0 || (strcmp(words->items[i + 1], "-include") != 0 &&
								strcmp(words->items[i + 1], "-imacros") != 0))
			continue;
		if (words->items[i + 3][0] != '/' || !rs_file_exists(words->items[i + 3]))
			return false;
		meet(reach, queue, find_node(reach, group, words->items[i + 3]));
	}
	return true;
}

static bool spells_word(const struct rs_reach *reach, const char *path)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	const char *text;
	size_t size;

	if (!read_file(reach, scratch, path, &text, &size))
		return true;
	for (size_t i = 0; i < reach->n_words; i++)
		if (memmem(text, size, reach->words[i], strlen(reach->words[i])))
			return true;
	return false;
}

bool rs_reach_may_read(struct rs_reach *reach, const struct rs_scan_unit *unit)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct queue queue = { .arena = scratch };
	struct rs_include_folders folders;
	bool has_unresolved = false;

	rs_include_folders_find(reach->arena, &unit->flags.words, reach->parser->resource_directory, &folders);
	if (is_unusual(unit, &folders))
		return true;
	struct group *group = find_group(reach, &folders);
	reach->visit++;
	meet(reach, &queue, find_node(reach, group, unit->file));
	if (!meet_flags(reach, group, unit, &queue))
		return true;
	for (size_t i = 0; i < queue.n_items; i++) {
		struct node *node = queue.items[i];

		if (node->text->is_wanted || node->text->is_unsure)
			return true;
		if (!node->is_open)
			open_node(reach, group, node);
		has_unresolved = has_unresolved || node->has_unresolved;
		for (size_t k = 0; k < node->n_leads_to; k++)
			meet(reach, &queue, node->leads_to[k]);
	}
	return has_unresolved && spells_word(reach, unit->file);
}
