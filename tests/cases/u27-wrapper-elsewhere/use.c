#include "input.h"
#include <unistd.h>

int main(void)
{
	static struct s s = { .a = 1, .b = 2, .c = 3 };
	unsigned char out[12];
	int fd[2];

	if (pipe(fd) || chan_write_full(fd[1], &s, sizeof s) || read(fd[0], out, 12) < 8)
		return 2;
	return out[4] != 2;
}
