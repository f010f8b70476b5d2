#include <stddef.h>

struct s {
	char mark;
	int n;
	int m;
	char kind;
	char text[5];
};
#define LENGTH_TO(type, member) ((int)offsetof(type, member))
