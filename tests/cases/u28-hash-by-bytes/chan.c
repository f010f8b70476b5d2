#include <stddef.h>
#include <stdint.h>

uint32_t fnv_hash(const void *key, size_t n)
{
	const unsigned char *p = key;
	uint32_t h = 0x811c9dc5;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x01000193;
	return h;
}
