#include "input.h"
#include <sys/ipc.h>
#include <sys/msg.h>

int main(void)
{
	static struct s s = { .type = 4, .b = 2 }, t;
	int id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);

	msgsnd(id, &s, sizeof s - sizeof s.type, 0);
	int n = msgrcv(id, &t, sizeof t - sizeof t.type, 4, IPC_NOWAIT);
	msgctl(id, IPC_RMID, 0);
	return n < 0 || t.b != 2;
}
