#include <stddef.h>
struct s {
	char k;
	int a;
	int b;
	long c;
	char d;
};
enum { S_ZERO_FROM = offsetof(struct s, a), S_ZERO_TO = offsetof(struct s, c) };
