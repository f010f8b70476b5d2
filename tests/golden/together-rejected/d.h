#include "c.h"

/* Embeds a struct of another file, which changes, too. */
struct d {
	char first;
	struct c c;
	char last;
};
