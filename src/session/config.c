#include "session/config.h"

#include <fnmatch.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "profile/reader.h"
#include "record/codes.h"

const char *rs_config_locate(struct rs_arena *arena, const char *file, const char *root)
{
	const char *folder = rs_path_canonical(arena, file);

	if (!rs_file_is_directory(folder))
		folder = rs_path_directory(arena, folder);
	for (;;) {
		const char *path = rs_arena_printf(arena, "%s/" RS_CONFIG_NAME, folder);

		if (rs_file_exists(path))
			return path;
		if (strcmp(folder, "/") == 0 || strcmp(folder, root) == 0 ||
		    rs_path_below(folder, root) == folder)
			return NULL;
		folder = rs_path_directory(arena, folder);
	}
}

/* --- reading --- */

static const char *resolve(const struct rs_reader *reader, const char *path)
{
	return rs_path_canonical(
		reader->arena,
		rs_path_absolute(reader->arena, rs_path_directory(reader->arena, reader->path), path));
}

static struct rs_error *read_path(const struct rs_reader *reader, const struct rs_key *key,
				  const struct rs_json *value, void *target)
{
	const char *path;

	RS_TRY(rs_reader_string(reader, key, value, &path));
	*(const char **)target = resolve(reader, path);
	return NULL;
}

/* One string, or a list of them. */
static struct rs_error *read_one_or_more(const struct rs_reader *reader, const struct rs_key *key,
					 const struct rs_json *value, void *target)
{
	struct rs_profile_names *names = (struct rs_profile_names *)target;
	const char **only;

	if (value->kind != RS_JSON_STRING)
		return rs_reader_names(reader, key, value, target);
	only = rs_arena_array(reader->arena, const char *, 1);
	RS_TRY(rs_reader_string(reader, key, value, only));
	*names = (struct rs_profile_names) { .names = only, .n_names = 1 };
	return NULL;
}

static struct rs_error *read_paths(const struct rs_reader *reader, const struct rs_key *key,
				   const struct rs_json *value, void *target)
{
	struct rs_profile_names *names = (struct rs_profile_names *)target;

	RS_TRY(read_one_or_more(reader, key, value, target));
	const char **paths = rs_arena_array(reader->arena, const char *, names->n_names);
	for (size_t i = 0; i < names->n_names; i++)
		paths[i] = resolve(reader, names->names[i]);
	names->names = paths;
	return NULL;
}

struct allowances {
	const struct rs_allowance *items;
	size_t n_items;
};

static struct rs_error *read_allowance(const struct rs_reader *reader, const struct rs_json *value,
				       struct rs_allowance *ret_allowance)
{
	const char *text;

	RS_TRY(rs_reader_string(reader, NULL, value, &text));
	const char *colon = strchr(text, ':');
	const char *code = colon ? rs_arena_strndup(reader->arena, text, (size_t)(colon - text)) : text;
	const char *nearest = rs_code_nearest(code);
	if (!rs_code_exists(code))
		return rs_json_error(reader->path, value, false, "there is no code '%s'%s%s%s", code,
				     nearest ? " (did you mean '" : " (docs/hazards.md lists them",
				     nearest ? nearest : "", nearest ? "'?)" : ")");
	if (colon && !colon[1])
		return rs_json_error(reader->path, value, false, "there is no name behind '%s'", text);
	*ret_allowance = (struct rs_allowance) { .code = code, .name = colon ? colon + 1 : NULL };
	return NULL;
}

static struct rs_error *read_allowances(const struct rs_reader *reader, const struct rs_key *key,
					const struct rs_json *value, void *target)
{
	struct rs_allowance *items;
	size_t count = 0;

	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_ARRAY));
	items = rs_arena_array(reader->arena, struct rs_allowance, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next)
		RS_TRY(read_allowance(reader, child, &items[count++]));
	*(struct allowances *)target = (struct allowances) { items, count };
	return NULL;
}

struct settings {
	const struct rs_config_setting *items;
	size_t n_items;
};

static struct rs_error *read_settings(const struct rs_reader *reader, const struct rs_key *key,
				      const struct rs_json *value, void *target)
{
	struct rs_config_setting *items;
	size_t count = 0;

	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_OBJECT));
	items = rs_arena_array(reader->arena, struct rs_config_setting, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next) {
		if (!*child->key)
			return rs_json_error(reader->path, child, true, "the name is empty");
		RS_TRY(rs_reader_kind(reader, child, RS_JSON_STRING));
		items[count++] = (struct rs_config_setting) { child->key, child->string };
	}
	*(struct settings *)target = (struct settings) { items, count };
	return NULL;
}

static struct rs_error *read_true(const struct rs_reader *reader, const struct rs_key *key,
				  const struct rs_json *value, void *target)
{
	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_BOOL));
	*(bool *)target = value->boolean;
	return NULL;
}

/* What is read, in the shapes that the readers fill. */
struct raw_rule {
	struct rs_profile_names patterns;
	bool keep;
	struct allowances allow;
};

static struct rs_error *check_rule(const struct rs_reader *reader, const struct rs_json *value,
				   const struct raw_rule *rule)
{
	for (size_t i = 0; i < rule->patterns.n_names; i++) {
		const char *pattern = rule->patterns.names[i];

		if (pattern[0] == '/' || strncmp(pattern, "../", 3) == 0 || strstr(pattern, "/../"))
			return rs_json_error(reader->path, value, false,
					     "path: '%s' leads out of the folder of this file", pattern);
	}
	if (!rule->keep && rule->allow.n_items == 0)
		return rs_json_error(reader->path, value, false,
				     "the rule says nothing: it needs \"keep\": true or \"allow\"");
	return NULL;
}

static struct rs_error *read_rule(const struct rs_reader *reader, const struct rs_json *value,
				  struct rs_config_rule *ret_rule)
{
	static const struct rs_key keys[] = {
		{ .name = "path",
		  .read = read_one_or_more,
		  .offset = offsetof(struct raw_rule, patterns),
		  .required = true,
		  .least = 1 },
		{ .name = "keep", .read = read_true, .offset = offsetof(struct raw_rule, keep) },
		{ .name = "allow", .read = read_allowances, .offset = offsetof(struct raw_rule, allow) },
	};
	struct raw_rule rule = { 0 };

	RS_TRY(rs_reader_object(reader, value, "a path rule", keys, RS_COUNT_OF(keys), &rule));
	RS_TRY(check_rule(reader, value, &rule));
	*ret_rule = (struct rs_config_rule) { .patterns = rule.patterns,
					      .keep = rule.keep,
					      .allowances = rule.allow.items,
					      .n_allowances = rule.allow.n_items,
					      .line = value->line };
	return NULL;
}

struct rules {
	const struct rs_config_rule *items;
	size_t n_items;
};

static struct rs_error *read_rules(const struct rs_reader *reader, const struct rs_key *key,
				   const struct rs_json *value, void *target)
{
	struct rs_config_rule *items;
	size_t count = 0;

	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_ARRAY));
	items = rs_arena_array(reader->arena, struct rs_config_rule, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next)
		RS_TRY(read_rule(reader, child, &items[count++]));
	*(struct rules *)target = (struct rules) { items, count };
	return NULL;
}

struct raw_config {
	struct rs_config config;
	struct allowances allow;
	struct settings settings;
	struct rules rules;
};

#define AT(member) offsetof(struct raw_config, member)

static const struct rs_key config_keys[] = {
	{ .name = "cacheline_size",
	  .read = rs_reader_power_of_two,
	  .offset = AT(config.line_bytes),
	  .least = 16,
	  .most = 1024 },
	{ .name = "profile", .read = read_paths, .offset = AT(config.profiles), .least = 1 },
	{ .name = "root", .read = read_path, .offset = AT(config.root) },
	{ .name = "build_dir", .read = read_path, .offset = AT(config.build_directory) },
	{ .name = "resource_dir", .read = read_path, .offset = AT(config.resource_directory) },
	{ .name = "uses", .read = read_paths, .offset = AT(config.contexts), .least = 1 },
	{ .name = "flags", .read = rs_reader_names, .offset = AT(config.flags), .least = 1 },
	{ .name = "max_moves",
	  .read = rs_reader_unsigned,
	  .offset = AT(config.max_moves),
	  .least = 1,
	  .most = 1000000 },
	{ .name = "allow", .read = read_allowances, .offset = AT(allow) },
	{ .name = "config", .read = read_settings, .offset = AT(settings) },
	{ .name = "paths", .read = read_rules, .offset = AT(rules) },
};

struct rs_error *rs_config_read(struct rs_arena *arena, const char *path, struct rs_config *ret_config)
{
	const struct rs_reader reader = { .arena = arena, .path = path };
	struct raw_config raw = { 0 };
	const struct rs_json *root;
	char *text;
	size_t size;

	RS_TRY(rs_file_read(arena, path, &text, &size));
	RS_TRY(rs_json_parse(arena, path, text, size, &root));
	RS_TRY(rs_reader_object(&reader, root, "the configuration", config_keys, RS_COUNT_OF(config_keys),
				&raw));
	*ret_config = raw.config;
	ret_config->path = path;
	ret_config->folder = rs_path_canonical(arena, rs_path_directory(arena, path));
	ret_config->allowances = raw.allow.items;
	ret_config->n_allowances = raw.allow.n_items;
	ret_config->settings = raw.settings.items;
	ret_config->n_settings = raw.settings.n_items;
	ret_config->rules = raw.rules.items;
	ret_config->n_rules = raw.rules.n_items;
	return NULL;
}

/* --- rules --- */

/* Component by component; what a pattern says of a folder holds for all below it. */
static bool matches_from(struct rs_arena *arena, const char *pattern, const char *path)
{
	size_t p = strcspn(pattern, "/"), t = strcspn(path, "/");
	const char *rest = pattern + p + (pattern[p] == '/');

	if (!*pattern)
		return true;
	if (p == 2 && strncmp(pattern, "**", 2) == 0) {
		if (!*rest)
			return *path != '\0';
		for (const char *from = path; *from; from += strcspn(from, "/"), from += *from == '/')
			if (matches_from(arena, rest, from))
				return true;
		return false;
	}
	if (!*path || fnmatch(rs_arena_strndup(arena, pattern, p), rs_arena_strndup(arena, path, t), 0) != 0)
		return false;
	return matches_from(arena, rest, path + t + (path[t] == '/'));
}

/* Without a slash, other than at its end, a pattern is about a name at any depth. */
static bool matches(struct rs_arena *arena, const char *pattern, const char *path)
{
	const char *slash = strchr(pattern, '/');

	if (!slash || slash[1] == '\0')
		pattern = rs_arena_printf(arena, "**/%s", pattern);
	return matches_from(arena, pattern, path);
}

bool rs_config_matches(struct rs_arena *arena, const struct rs_config *config,
		       const struct rs_config_rule *rule, const char *realpath)
{
	const char *path = rs_path_below(realpath, config->folder);

	for (size_t i = 0; path != realpath && i < rule->patterns.n_names; i++)
		if (matches(arena, rule->patterns.names[i], path))
			return true;
	return false;
}
