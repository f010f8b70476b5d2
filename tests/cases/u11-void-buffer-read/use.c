#include "input.h"
#include <string.h>
#include <unistd.h>

int main(void)
{
	static const unsigned char wire[12] = { 1, 0, 0, 0, 8 };
	int fd[2];
	_Alignas(8) char buf[64];
	char *p = buf;

	if (pipe(fd) || write(fd[1], wire, sizeof wire) != 12 || read(fd[0], p, sizeof buf) != 12)
		return 2;
	struct s *s = (void *)p;
	return s->b != 8;
}
