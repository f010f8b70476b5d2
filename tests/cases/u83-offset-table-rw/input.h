#include <stddef.h>
struct s {
	char k;
	int a;
	int b;
	long c;
	char d;
};
