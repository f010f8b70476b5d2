#include <stddef.h>
#include <unistd.h>

int chan_write_full(int fd, const void *data, size_t size)
{
	return write(fd, data, size) == (ssize_t)size ? 0 : -1;
}
