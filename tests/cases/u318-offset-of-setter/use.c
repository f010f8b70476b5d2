#include "input.h"
#include <stddef.h>
#include <string.h>

static void set(void *object, size_t offset, const void *value, size_t size)
{
	memcpy((char *)object + offset, value, size);
}

static void clear(void *object, size_t size)
{
	memset(object, 0, size);
}

int main(void)
{
	struct config config;
	int port = 80;

	clear(&config, sizeof config);
	set(&config, offsetof(struct config, port), &port, sizeof port);
	return config.port != 80 || config.limit;
}
