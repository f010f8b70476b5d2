#include "input.h"
static float sum(const struct vec *v, int n)
{
	float t = 0;
	for (int i = 0; i < n; i++)
		t += v[i].x;
	return t;
}
static float len(const struct vec *v) { return v->x + v->y; }
int main(void)
{
	struct s s = {.pos = {1, 2}, .vel = {{3, 4}, {5, 6}}};
	return sum(&s.pos, 1) != 1 || sum(s.vel, 2) != 8 || len(&s.pos) != 3;
}
