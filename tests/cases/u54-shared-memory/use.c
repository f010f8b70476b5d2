#include "input.h"
#include <sys/ipc.h>
#include <sys/shm.h>

struct old { uint8_t a; uint32_t b; uint8_t c; };

int main(void)
{
	int id = shmget(IPC_PRIVATE, 64, IPC_CREAT | 0600);
	struct s *s = shmat(id, 0, 0);
	struct old *o = shmat(id, 0, 0);

	shmctl(id, IPC_RMID, 0);
	o->b = 2;
	return s->b != 2;
}
