#include "input.h"
#include <string.h>
#include <sys/prctl.h>

int main(void)
{
	struct s s = { .head = "abc", .end = 0, .more = 2, .k = 3, .last = 4 };
	char name[16] = "";

	prctl(PR_SET_NAME, &s, 0, 0, 0);
	prctl(PR_GET_NAME, name, 0, 0, 0);
	return strcmp(name, "abc") != 0;
}
