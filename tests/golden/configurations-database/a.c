#include "s.h"
int a(struct ev *e)
{
	return e->kind;
}
