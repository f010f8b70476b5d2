#include "input.h"
#include <sys/socket.h>

int main(void)
{
	struct s s = { .seconds = 3000000, .micros = 250000, .note = 1, .seen = 2 };

	return setsockopt(socket(AF_UNIX, SOCK_STREAM, 0), SOL_SOCKET, SO_RCVTIMEO, &s, sizeof s) != 0;
}
