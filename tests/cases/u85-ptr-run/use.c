#include "input.h"
int main(void)
{
	struct s x = {1, "a", "b", "c", 2};
	char **all = &x.a;
	int t = 0;
	for (int i = 0; i < 3; i++)
		t += *all[i];
	return t != 'a' + 'b' + 'c';
}
