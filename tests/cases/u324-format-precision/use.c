#include <stdio.h>
#include <string.h>
#include "input.h"

int main(void)
{
	struct name name = { .flag = 1, .size = 5, .other = 2 };
	char text[16];

	memcpy(name.lead, "abcd", 4);
	memcpy(name.rest, "efgh", 4);
	snprintf(text, sizeof text, "%.8s", name.lead);
	return strcmp(text, "abcdefgh") != 0;
}
