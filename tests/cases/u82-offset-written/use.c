#include "input.h"
#include <stdio.h>
int main(void)
{
	uint16_t v[2];
	FILE *f = tmpfile();
	fwrite(wire_offsets, sizeof wire_offsets, 1, f);
	rewind(f);
	fread(v, sizeof v, 1, f);
	return v[0] != 4 || v[1] != 16;
}
