#include "input.h"
#include <stddef.h>
#include <string.h>

static unsigned char out[128];
static size_t at;

/* In pieces, as a file is written. */
static void put(const void *bytes, size_t count)
{
	while (count > 0) {
		size_t n = count > 16 ? 16 : count;

		memcpy(out + at, bytes, n);
		at += n;
		bytes = (const char *)bytes + n;
		count -= n;
	}
}

static void write_entry(const struct disk_entry *entry, size_t n_data)
{
	size_t size;

	size = offsetof(struct disk_entry, data) + n_data;
	put(entry, size);
}

int main(void)
{
	struct disk_entry entry = { .device = 1, .mode = 2, .user = 0x01020304, .flags = 3 };
	uint32_t user;

	write_entry(&entry, 4);
	if (at < offsetof(struct disk_entry, user) + sizeof user)
		return 1;
	memcpy(&user, out + offsetof(struct disk_entry, user), sizeof user);
	return user != 0x01020304;
}
