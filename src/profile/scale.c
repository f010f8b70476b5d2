#include "profile/scale.h"

#include <string.h>

typedef const char *(*unit_fn)(const struct rs_profile_source *source);

static const char *reads_unit(const struct rs_profile_source *source)
{
	return source->weight > 0 ? NULL : source->reads_unit;
}

static const char *writes_unit(const struct rs_profile_source *source)
{
	return source->weight > 0 ? NULL : source->writes_unit;
}

static struct rs_error *check_kind(const struct rs_profile_struct *a, const struct rs_profile_struct *b,
				   unit_fn unit, const char *kind)
{
	for (size_t i = 0; i < a->n_sources; i++) {
		for (size_t j = 0; j < b->n_sources; j++) {
			const char *x = unit(&a->sources[i]), *y = unit(&b->sources[j]);

			if (x && y && strcmp(x, y) != 0)
				return rs_error_create(RS_ERROR_USAGE, b->path, b->line, b->column,
						       "%s of %s count %s here and %s in %s: they do not add "
						       "up (restruct profile merge "
						       "FILE=WEIGHT brings both to one scale)",
						       kind, b->name, y, x, a->path);
		}
	}
	return NULL;
}

struct rs_error *rs_profile_check_units(const struct rs_profile *sum, const struct rs_profile *next)
{
	for (size_t i = 0; i < next->n_structs; i++) {
		const struct rs_profile_struct *same = rs_profile_find(sum, next->structs[i].name);

		if (!same)
			continue;
		RS_TRY(check_kind(same, &next->structs[i], reads_unit, "reads"));
		RS_TRY(check_kind(same, &next->structs[i], writes_unit, "writes"));
	}
	return NULL;
}

static void scale_paths(struct rs_arena *arena, struct rs_profile_struct *type, double weight)
{
	struct rs_profile_path *paths = rs_arena_array(arena, struct rs_profile_path, type->n_paths);

	for (size_t i = 0; i < type->n_paths; i++) {
		paths[i] = type->paths[i];
		paths[i].rate *= weight;
	}
	type->paths = paths;
}

static void scale_fields(struct rs_arena *arena, struct rs_profile_struct *type, double weight)
{
	struct rs_profile_field *fields = rs_arena_array(arena, struct rs_profile_field, type->n_fields);

	for (size_t i = 0; i < type->n_fields; i++) {
		fields[i] = type->fields[i];
		fields[i].reads *= weight;
		fields[i].writes *= weight;
	}
	type->fields = fields;
}

static void note_weight(struct rs_arena *arena, struct rs_profile_struct *type, const char *path, double weight)
{
	size_t count = type->n_sources ? type->n_sources : 1;
	struct rs_profile_source *sources = rs_arena_array(arena, struct rs_profile_source, count);

	if (type->n_sources == 0)
		sources[0] = (struct rs_profile_source) { .tool = "profile", .file = path };
	for (size_t i = 0; i < type->n_sources; i++)
		sources[i] = type->sources[i];
	for (size_t i = 0; i < count; i++)
		sources[i].weight = (sources[i].weight > 0 ? sources[i].weight : 1) * weight;
	type->sources = sources;
	type->n_sources = count;
}

void rs_profile_scale(struct rs_arena *arena, struct rs_profile *profile, const char *path, double weight)
{
	struct rs_profile_struct *structs = rs_arena_array(arena, struct rs_profile_struct, profile->n_structs);

	for (size_t i = 0; i < profile->n_structs; i++) {
		structs[i] = profile->structs[i];
		scale_paths(arena, &structs[i], weight);
		scale_fields(arena, &structs[i], weight);
		note_weight(arena, &structs[i], path, weight);
	}
	profile->structs = structs;
}
