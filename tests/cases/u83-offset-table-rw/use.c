#include "input.h"
#include <string.h>
struct opt {
	const char *n;
	int off;
	int size;
};
static const struct opt opts[] = {{"a", offsetof(struct s, a), sizeof(int)},
				  {"b", offsetof(struct s, b), sizeof(int)},
				  {"c", offsetof(struct s, c), sizeof(long)}};
enum { OFF_B = offsetof(struct s, b) };
int main(void)
{
	struct s x = {0};
	for (int i = 0; i < 3; i++)
		memset((char *)&x + opts[i].off, 1, opts[i].size);
	*(int *)((char *)&x + OFF_B) += 1;
	return x.a != 0x01010101 || x.b != 0x01010102 || x.k || x.d;
}
