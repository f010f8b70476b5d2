#include "input.h"
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
	static struct s s = { .a = 1, .b = 2, .c = 3 };
	unsigned char out[12];
	struct iovec v[] = { { .iov_base = &s, .iov_len = sizeof s } };
	int fd[2];

	if (pipe(fd) || writev(fd[1], v, 1) < 8 || read(fd[0], out, 12) < 8)
		return 2;
	return out[4] != 2;
}
