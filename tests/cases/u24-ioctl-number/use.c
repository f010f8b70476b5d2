#include "input.h"
#include <sys/ioctl.h>

#define GET_S _IOR('n', 3, struct s)

int main(void)
{
	return GET_S != 0x80186e03;
}
