#include <stddef.h>
struct s {
	char k;
	int a;
	char b;
	long c;
};
