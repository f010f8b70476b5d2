#define _GNU_SOURCE
#include "input.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	struct s s = { .size = sizeof s.error, .error = 7, .wait = { .tv_sec = 1 } };

	s.fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (getsockopt(s.fd, SOL_SOCKET, SO_ERROR, &s.error, &s.size) || s.error)
		return 1;
	if (setsockopt(s.fd, SOL_SOCKET, SO_RCVTIMEO, &s.wait, sizeof s.wait))
		return 2;
	fcntl(s.fd, F_GETLK, &s.lock);
	syscall(SYS_futex, &s.word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
	return prctl(PR_GET_NAME, s.name) || !s.name[0];
}
