#include "input.h"
#include <new>
int main()
{
	alignas(job) char room[sizeof(job)];
	for (char &byte : room)
		byte = 77;
	job *made = new (room) job(5);
	return !(made->value == 5 && made->state == 6);
}
