#include "input.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
	struct s *s = malloc(sizeof *s + 8);
	char *text = (char *)(s + 1);

	memcpy(text, "hello", 6);
	s->b = 1;
	return strcmp((char *)&s[1], "hello") != 0;
}
