#include "input.h"
#include <string.h>
static char ring[256];
static int head, tail;
static void push(const void *p, int n)
{
	memcpy(ring + head, p, n);
	head += n;
}
static void pop(void *p, int n)
{
	memcpy(p, ring + tail, n);
	tail += n;
}
int main(void)
{
	struct s x = {1, 2, 3, 4}, y;
	push(&x, sizeof x);
	pop(&y, sizeof y);
	return y.a != 2 || y.q != 4;
}
