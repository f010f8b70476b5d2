#include "input.h"
static float sum(const struct vec *v, int n)
{
	float t = 0;
	for (int i = 0; i < n; i++)
		t += v[i].x;
	return t;
}
int main(void)
{
	struct s s = {.pos = {1, 2}, .vel = {3, 4}};
	return sum(&s.pos, 2) != 4;
}
