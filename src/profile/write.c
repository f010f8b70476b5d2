#include "profile/write.h"

#include <string.h>

#include "base/json_writer.h"

static void write_text(struct rs_json_writer *json, const char *key, const char *text)
{
	if (text)
		rs_json_write_string(json, key, text);
}

/* Whole numbers stand as such. */
static void write_number(struct rs_json_writer *json, const char *key, double number)
{
	if (number < 9e15 && number == (double)(uint64_t)number)
		rs_json_write_uint(json, key, (uint64_t)number);
	else
		rs_json_write_double(json, key, number);
}

static void write_machine(struct rs_json_writer *json, const struct rs_profile *profile)
{
	const struct rs_machine *machine = &profile->machine;
	/* In the order of enum rs_machine_key. */
	const struct {
		const char *key;
		double number;
	} numbers[] = {
		{ "line_bytes", machine->line_bytes },
		{ "cpus", machine->cpus },
		{ "t_hit_ns", machine->t_hit_ns },
		{ "t_coherence_ns", machine->t_coherence_ns },
		{ "t_upgrade_ns", machine->t_upgrade_ns },
		{ "t_l3_ns", machine->t_l3_ns },
		{ "t_memory_ns", machine->t_memory_ns },
		{ "cache_lines", machine->cache_lines },
		{ "util", machine->util },
		{ "pair", machine->pair },
	};

	if (!profile->machine_given)
		return;
	rs_json_begin_object(json, "machine");
	for (size_t i = 0; i < RS_COUNT_OF(numbers); i++)
		if (profile->machine_given & 1u << i)
			write_number(json, numbers[i].key, numbers[i].number);
	rs_json_end_object(json);
}

static void write_types(struct rs_json_writer *json, const struct rs_profile *profile)
{
	if (profile->n_types == 0)
		return;
	rs_json_begin_object(json, "types");
	for (size_t i = 0; i < profile->n_types; i++) {
		rs_json_begin_object_compact(json, profile->types[i].name);
		rs_json_write_uint(json, "size", profile->types[i].size_bytes);
		rs_json_write_uint(json, "align", profile->types[i].align_bytes);
		rs_json_end_object(json);
	}
	rs_json_end_object(json);
}

static void write_base(struct rs_json_writer *json, const struct rs_placement_base *base, const char *key)
{
	rs_json_begin_object_compact(json, key);
	write_text(json, "embedded_in", base->container);
	write_text(json, "member", base->member);
	rs_json_write_uint(json, "base", base->base_bytes);
	rs_json_end_object(json);
}

static void write_placement(struct rs_json_writer *json, const struct rs_profile_struct *type)
{
	const struct rs_placement *placement = &type->placement;

	if (!type->has_placement)
		return;
	switch (placement->kind) {
	case RS_PLACE_LINE_ALIGNED:
		rs_json_write_string(json, "placement", "line-aligned");
		return;
	case RS_PLACE_ALIGNED:
		rs_json_begin_object_compact(json, "placement");
		rs_json_write_uint(json, "align", placement->align_bytes);
		rs_json_end_object(json);
		return;
	case RS_PLACE_ARRAY:
		rs_json_begin_object_compact(json, "placement");
		rs_json_write_bool(json, "array", true);
		rs_json_end_object(json);
		return;
	case RS_PLACE_EMBEDDED:
		rs_json_begin_array(json, "placement");
		for (size_t i = 0; i < placement->n_bases; i++)
			write_base(json, &placement->bases[i], NULL);
		rs_json_end_array(json);
		return;
	}
}

static void write_accesses(struct rs_json_writer *json, const struct rs_profile_path *path, const char *key,
			   unsigned kind)
{
	bool any = false;

	for (size_t i = 0; i < path->n_accesses; i++) {
		if (!(path->accesses[i].kinds & kind))
			continue;
		if (!any)
			rs_json_begin_array_compact(json, key);
		any = true;
		rs_json_write_string(json, NULL, path->accesses[i].field);
	}
	if (any)
		rs_json_end_array(json);
}

static void write_cpus(struct rs_json_writer *json, const struct rs_profile_path *path)
{
	if (path->n_cpus && !path->cpus)
		rs_json_write_uint(json, "cpus", path->n_cpus);
	if (path->cpus) {
		rs_json_begin_array_compact(json, "cpus");
		for (unsigned i = 0; i < path->n_cpus; i++)
			rs_json_write_uint(json, NULL, path->cpus[i]);
		rs_json_end_array(json);
	}
	if (path->shares) {
		rs_json_begin_array_compact(json, "shares");
		for (unsigned i = 0; i < path->n_cpus; i++)
			rs_json_write_double(json, NULL, path->shares[i]);
		rs_json_end_array(json);
	}
}

static void write_names(struct rs_json_writer *json, const char *key, const struct rs_profile_names *names)
{
	if (names->n_names == 0)
		return;
	rs_json_begin_array_compact(json, key);
	for (size_t i = 0; i < names->n_names; i++)
		rs_json_write_string(json, NULL, names->names[i]);
	rs_json_end_array(json);
}

static void write_path(struct rs_json_writer *json, const struct rs_profile_path *path)
{
	rs_json_begin_object_compact(json, NULL);
	rs_json_write_string(json, "name", path->name);
	write_number(json, "rate", path->rate);
	write_cpus(json, path);
	if (path->burst > 1)
		write_number(json, "burst", path->burst);
	if (path->util >= 0)
		rs_json_write_double(json, "util", path->util);
	write_text(json, "phase", path->phase);
	write_names(json, "contended", &path->contended);
	write_accesses(json, path, "atomics", RS_ACCESS_ATOMIC);
	write_accesses(json, path, "reads", RS_ACCESS_READ);
	write_accesses(json, path, "writes", RS_ACCESS_WRITE);
	rs_json_end_object(json);
}

static void write_paths(struct rs_json_writer *json, const struct rs_profile_struct *type)
{
	if (type->n_paths == 0)
		return;
	rs_json_begin_array(json, "paths");
	for (size_t i = 0; i < type->n_paths; i++)
		write_path(json, &type->paths[i]);
	rs_json_end_array(json);
}

static void write_fields(struct rs_json_writer *json, const struct rs_profile_struct *type)
{
	if (type->n_fields == 0)
		return;
	rs_json_begin_object(json, "fields");
	for (size_t i = 0; i < type->n_fields; i++) {
		const struct rs_profile_field *field = &type->fields[i];

		rs_json_begin_object_compact(json, field->name);
		write_number(json, "reads", field->reads);
		write_number(json, "writes", field->writes);
		if (field->is_atomic)
			rs_json_write_string(json, "kind", "atomic");
		if (field->cpus)
			rs_json_write_uint(json, "cpus", field->cpus);
		rs_json_end_object(json);
	}
	rs_json_end_object(json);
}

static void write_groups(struct rs_json_writer *json, const char *key, const struct rs_profile_names *groups,
			 size_t count)
{
	if (count == 0)
		return;
	rs_json_begin_array(json, key);
	for (size_t i = 0; i < count; i++)
		write_names(json, NULL, &groups[i]);
	rs_json_end_array(json);
}

static void write_permissions(struct rs_json_writer *json, const struct rs_profile_struct *type)
{
	static const char *const words[] = {
		"align", "pad", "hoist", "lift", "split", "join", "grow", "comment"
	};

	if (type->allow) {
		rs_json_begin_array_compact(json, "allow");
		for (size_t i = 0; i < RS_COUNT_OF(words); i++)
			if (type->allow & 1u << i)
				rs_json_write_string(json, NULL, words[i]);
		rs_json_end_array(json);
	}
	write_names(json, "hoist", &type->hoist);
	write_names(json, "lift", &type->lift);
	if (type->first.n_names == 0 && type->n_together == 0 && type->n_before == 0)
		return;
	rs_json_begin_object(json, "pins");
	write_names(json, "first", &type->first);
	write_groups(json, "together", type->together, type->n_together);
	write_groups(json, "before", type->before, type->n_before);
	rs_json_end_object(json);
}

static void write_gates(struct rs_json_writer *json, const struct rs_profile_struct *type)
{
	if (type->n_groups > 0) {
		rs_json_begin_object(json, "groups");
		for (size_t i = 0; i < type->n_groups; i++) {
			rs_json_begin_object_compact(json, type->groups[i].name);
			write_names(json, "fields", &type->groups[i].fields);
			if (type->groups[i].max_lines)
				rs_json_write_uint(json, "lines", type->groups[i].max_lines);
			write_names(json, "apart", &type->groups[i].apart);
			rs_json_end_object(json);
		}
		rs_json_end_object(json);
	}
	if (type->n_offsets > 0) {
		rs_json_begin_object_compact(json, "offsets");
		for (size_t i = 0; i < type->n_offsets; i++)
			rs_json_write_uint(json, type->offsets[i].field, type->offsets[i].bytes);
		rs_json_end_object(json);
	}
}

static void write_sources(struct rs_json_writer *json, const struct rs_profile_struct *type)
{
	if (type->n_sources == 0)
		return;
	rs_json_begin_array(json, "sources");
	for (size_t i = 0; i < type->n_sources; i++) {
		const struct rs_profile_source *source = &type->sources[i];

		rs_json_begin_object_compact(json, NULL);
		rs_json_write_string(json, "tool", source->tool);
		write_text(json, "version", source->version);
		write_text(json, "file", source->file);
		write_text(json, "date", source->date);
		write_text(json, "trust", source->trust);
		write_text(json, "reads_unit", source->reads_unit);
		write_text(json, "writes_unit", source->writes_unit);
		if (source->rows > 0) {
			write_number(json, "rows", source->rows);
			write_number(json, "resolved", source->resolved);
		}
		if (source->weight > 0)
			write_number(json, "weight", source->weight);
		rs_json_end_object(json);
	}
	rs_json_end_array(json);
}

static void write_struct(struct rs_json_writer *json, const struct rs_profile_struct *type)
{
	rs_json_begin_object(json, type->name);
	write_placement(json, type);
	if (type->instances > 0)
		write_number(json, "instances", type->instances);
	if (type->max_size)
		rs_json_write_uint(json, "max_size", type->max_size);
	write_sources(json, type);
	if (type->is_complete)
		rs_json_write_bool(json, "complete", true);
	write_paths(json, type);
	write_fields(json, type);
	write_permissions(json, type);
	write_gates(json, type);
	rs_json_end_object(json);
}

void rs_profile_write(struct rs_builder *out, const struct rs_profile *profile)
{
	struct rs_json_writer json;

	rs_json_writer_init(&json, out);
	rs_json_begin_object(&json, NULL);
	rs_json_write_uint(&json, "restruct_profile", 1);
	write_machine(&json, profile);
	write_types(&json, profile);
	rs_json_begin_object(&json, "structs");
	for (size_t i = 0; i < profile->n_structs; i++)
		write_struct(&json, &profile->structs[i]);
	rs_json_end_object(&json);
	rs_json_end_object(&json);
}
