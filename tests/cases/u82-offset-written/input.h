#include <stddef.h>
#include <stdint.h>
struct s {
	char k;
	int a;
	int b;
	long c;
	char d;
};
static const uint16_t wire_offsets[] = {offsetof(struct s, a), offsetof(struct s, c)};
