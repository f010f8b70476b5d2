#include <string.h>

#include "profile/import_internal.h"

/* Names by which processors and perf call what samples loads or stores; the first that fits decides. */
static const struct {
	const char *part;
	enum rs_event_kind kind;
} event_names[] = {
	{ "dummy", RS_EVENT_NONE },
	{ "mem-stores", RS_EVENT_STORES },
	{ "mem-loads", RS_EVENT_LOADS },
	{ "all_stores", RS_EVENT_STORES },
	{ "store_latency", RS_EVENT_STORES },
	{ "latency_above_threshold", RS_EVENT_LOADS },
	{ "load_latency", RS_EVENT_LOADS },
	{ "load_filter=1,store_filter=1", RS_EVENT_ANY },
	{ "store_filter=1", RS_EVENT_STORES },
	{ "load_filter=1", RS_EVENT_LOADS },
	{ "store", RS_EVENT_STORES },
	{ "load", RS_EVENT_LOADS },
};

enum rs_event_kind rs_event_kind(const char *name)
{
	for (size_t i = 0; i < RS_COUNT_OF(event_names); i++)
		if (strstr(name, event_names[i].part))
			return event_names[i].kind;
	return RS_EVENT_ANY;
}

bool rs_event_is_filtered(const char *name)
{
	return strstr(name, "ldlat") || strstr(name, "latency") || strstr(name, "min_latency");
}

void rs_import_count(struct rs_import *import, struct rs_import_row *row, enum rs_event_kind kind,
		     double amount)
{
	bool writes = kind == RS_EVENT_STORES;

	if (kind == RS_EVENT_NONE)
		return;
	if (kind == RS_EVENT_ANY) {
		import->n_kindless++;
		writes = import->as && strcmp(import->as, "writes") == 0;
	}
	*(writes ? &row->writes : &row->reads) += amount;
}

/* Two events are sampled at rates of their own, so that their counts do not compare, not even in the same unit.
 */
void rs_import_units(struct rs_import *import, const char *event, const char *unit)
{
	enum rs_event_kind kind = rs_event_kind(event);
	const char *filter = rs_event_is_filtered(event) ? " above a latency" : "";

	if (kind == RS_EVENT_STORES)
		import->writes_unit = rs_arena_printf(import->arena, "%s of stores", unit);
	else if (kind == RS_EVENT_LOADS)
		import->reads_unit = rs_arena_printf(import->arena, "%s of loads%s", unit, filter);
	else if (kind == RS_EVENT_ANY && import->as && strcmp(import->as, "writes") == 0)
		import->writes_unit = unit;
	else if (kind == RS_EVENT_ANY)
		import->reads_unit = unit;
}
