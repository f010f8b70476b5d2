#include <stddef.h>
struct l {
	struct l *n;
};
struct s {
	char k;
	int a;
	struct l link;
	char d;
	struct l other;
	char e;
};
#define entry(p) ((struct s *)((char *)(p)-offsetof(struct s, link)))
