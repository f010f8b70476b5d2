#include "input.h"

int parse(const unsigned char *packet)
{
	const struct s *header = (const struct s *)packet;

	return header->len * 10 + header->seq;
}

int main(void)
{
	static const unsigned char packet[12] __attribute__((aligned(8))) = {1, 0, 2, 0, 3, 0, 0, 0, 4};

	return parse(packet) != 23;
}
