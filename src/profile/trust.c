#include "profile/trust.h"

#include <string.h>

const char *const rs_trust_words[RS_TRUST_WORDS] = { "measured",    "counted", "sampled",
						     "upper bound", "stated",  "static" };

static size_t rank(const char *trust)
{
	size_t i = 0;

	while (i < RS_TRUST_WORDS && strcmp(rs_trust_words[i], trust) != 0)
		i++;
	return i;
}

const char *rs_profile_trust(const struct rs_profile_source *sources, size_t n_sources)
{
	const char *least = NULL;

	for (size_t i = 0; i < n_sources; i++)
		if (sources[i].trust && (!least || rank(sources[i].trust) > rank(least)))
			least = sources[i].trust;
	return least;
}

bool rs_profile_has_one_unit(const struct rs_profile_source *sources, size_t n_sources)
{
	const char *unit = NULL;

	for (size_t i = 0; i < n_sources; i++) {
		const char *units[] = { sources[i].reads_unit, sources[i].writes_unit };

		if (sources[i].weight >
		    0) { /* brought to a common scale; within itself it may differ all the same */
			if (units[0] && units[1] && strcmp(units[0], units[1]) != 0)
				return false;
			continue;
		}

		for (size_t u = 0; u < RS_COUNT_OF(units); u++) {
			if (unit && units[u] && strcmp(unit, units[u]) != 0)
				return false;
			unit = units[u] ? units[u] : unit;
		}
	}
	return true;
}
