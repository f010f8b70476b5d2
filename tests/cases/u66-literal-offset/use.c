#include "input.h"
#include <string.h>
int main(void)
{
	struct hdr h = { 1, 2, 3, 4 };
	long v;
	memcpy(&v, (char *)&h + 8, sizeof v);
	return v != 2;
}
