#include "c.h"

/* Embeds a struct of another file, which changes, too. */
struct d {
	char first;
	char last;
	struct c c;
};
