#include "input.h"
static int kind(void *p) { return *(enum tag *)p; }
int main(void)
{
	struct s x = {TB, 1, 2, 3};
	return kind(&x) != TB;
}
