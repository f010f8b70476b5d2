#include "input.h"
static void push(void **head, void *it)
{
	*(void **)it = *head;
	*head = it;
}
static void *pop(void **head)
{
	void *it = *head;
	if (it)
		*head = *(void **)it;
	return it;
}
int main(void)
{
	struct item a = { 0, 1, 2, 3 }, b = { 0, 4, 5, 6 };
	void *h = 0;
	push(&h, &a);
	push(&h, &b);
	struct item *x = pop(&h), *y = pop(&h);
	return !(x == &b && y == &a && a.v == 2 && b.v == 5);
}
