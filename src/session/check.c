#include <inttypes.h>
#include <string.h>

#include "session/session_internal.h"

/* The record's layout as a gate looks at it. */
struct gate {
	struct rs_finding_list *list;
	const struct rs_record_result *result;
	const struct rs_record *record;
	const struct rs_binding *binding;
	uint64_t line_bits, base_bits; /* of the first of the base offsets at which objects lie */
};

static uint64_t first_line(const struct gate *gate, size_t member)
{
	return (gate->base_bits + gate->record->members[member].offset_bits) / gate->line_bits;
}

static uint64_t last_line(const struct gate *gate, size_t member)
{
	const struct rs_member *at = &gate->record->members[member];

	return (gate->base_bits + at->offset_bits + (at->size_bits ? at->size_bits - 1 : 0)) / gate->line_bits;
}

/* --- a group on few lines --- */

static bool touches(const struct gate *gate, const struct rs_bound_group *group, uint64_t line)
{
	for (size_t i = 0; i < group->n_members; i++)
		if (line >= first_line(gate, group->members[i]) && line <= last_line(gate, group->members[i]))
			return true;
	return false;
}

static uint64_t count_lines(const struct gate *gate, const struct rs_bound_group *group)
{
	uint64_t end = (gate->base_bits + 8 * gate->record->size_bytes) / gate->line_bits, count = 0;

	for (uint64_t line = 0; line <= end; line++)
		count += touches(gate, group, line);
	return count;
}

/* The member that lies farthest from the first line of the group: what left. */
static size_t find_outlier(const struct gate *gate, const struct rs_bound_group *group)
{
	size_t found = group->members[0];

	for (size_t i = 1; i < group->n_members; i++)
		if (last_line(gate, group->members[i]) > last_line(gate, found))
			found = group->members[i];
	return found;
}

static void check_lines(const struct gate *gate, const struct rs_bound_group *group)
{
	uint64_t count = group->max_lines ? count_lines(gate, group) : 0;

	if (count > group->max_lines)
		rs_finding_add(gate->list, "group-lines", RS_FINDING_ERROR, gate->record,
			       find_outlier(gate, group), group->name,
			       "group '%s' lies on %" PRIu64 " cache lines, %u %s allowed", group->name, count,
			       group->max_lines, group->max_lines == 1 ? "is" : "are");
}

/* --- groups apart --- */

static size_t find_neighbour(const struct gate *gate, const struct rs_bound_group *group, size_t member)
{
	for (size_t i = 0; i < group->n_members; i++)
		if (first_line(gate, group->members[i]) <= last_line(gate, member) &&
		    last_line(gate, group->members[i]) >= first_line(gate, member))
			return group->members[i];
	return RS_NONE;
}

static void check_apart(const struct gate *gate, const struct rs_bound_group *group,
			const struct rs_bound_group *other)
{
	for (size_t i = 0; i < group->n_members; i++) {
		size_t member = group->members[i], neighbour = find_neighbour(gate, other, member);

		if (neighbour == RS_NONE)
			continue;
		rs_finding_add(gate->list, "group-apart", RS_FINDING_ERROR, gate->record, member, other->name,
			       "'%s' of group '%s' shares cache line %" PRIu64 " with '%s' of group '%s'",
			       gate->record->members[member].path, group->name,
			       first_line(gate, member) > first_line(gate, neighbour)
				       ? first_line(gate, member)
				       : first_line(gate, neighbour),
			       gate->record->members[neighbour].path, other->name);
	}
}

/* --- all of it --- */

static void check_offsets(const struct gate *gate)
{
	for (size_t i = 0; i < gate->binding->n_offsets; i++) {
		const struct rs_bound_offset *offset = &gate->binding->offsets[i];
		const struct rs_member *member = &gate->record->members[offset->member];

		if (member->offset_bits != 8 * offset->bytes)
			rs_finding_add(gate->list, "offset-held", RS_FINDING_ERROR, gate->record,
				       offset->member, NULL,
				       "'%s' lies at byte %" PRIu64 ", the profile holds it at %" PRIu64,
				       member->path, member->offset_bits / 8, offset->bytes);
	}
}

static void check_size(const struct gate *gate)
{
	uint64_t most = gate->binding->max_size;

	if (most && gate->record->size_bytes > most)
		rs_finding_add(gate->list, "size-limit", RS_FINDING_ERROR, gate->record, RS_NONE, NULL,
			       "struct '%s' has %" PRIu64 " bytes, the profile allows %" PRIu64,
			       gate->record->name, gate->record->size_bytes, most);
}

static void check_record(struct rs_finding_list *list, const struct rs_record_result *result)
{
	struct gate gate = { .list = list,
			     .result = result,
			     .record = result->record,
			     .binding = result->binding,
			     .line_bits = 8 * rs_cost_line_bytes(result->cost) };
	struct rs_cost_base base;

	if (rs_cost_bases(result->cost, result->record->size_bytes, &base, 1) > 0)
		gate.base_bits = 8 * base.offset_bytes;
	for (size_t i = 0; i < gate.binding->n_groups; i++) {
		const struct rs_bound_group *group = &gate.binding->groups[i];

		check_lines(&gate, group);
		for (size_t k = 0; k < group->n_apart; k++)
			check_apart(&gate, group, &gate.binding->groups[group->apart[k]]);
	}
	check_offsets(&gate);
	check_size(&gate);
}

void rs_session_check(struct rs_session *session)
{
	struct rs_finding_list list = { .arena = session->arena, .root = session->root };

	if (session->options.baseline)
		rs_baseline_compare(session->options.baseline, &session->result, &list);
	for (size_t i = 0; i < session->n_records; i++)
		if (session->results[i].binding)
			check_record(&list, &session->results[i]);
	session->result.findings = list.items;
	session->result.n_findings = list.n_items;
}
