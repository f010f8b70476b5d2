#include "input.h"
#include <stddef.h>
#include <unistd.h>

static int put(int fd, const void *data, size_t size)
{
	const char *p = data;
	ssize_t n = write(fd, p, size);

	return n == (ssize_t)size ? 0 : -1;
}

int main(void)
{
	static struct s s = { .a = 1, .b = 2, .c = 3 };
	unsigned char out[12];
	int fd[2];

	if (pipe(fd) || put(fd[1], &s, sizeof s) || read(fd[0], out, 12) < 8)
		return 2;
	return out[4] != 2;
}
