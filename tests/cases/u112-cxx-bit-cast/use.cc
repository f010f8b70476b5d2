#include "input.h"
#include <array>
#include <bit>
int main()
{
	job job{};
	job.value = 7;
	auto words = std::bit_cast<std::array<long, sizeof job / sizeof(long)>>(job);
	return words[1] != 7;
}
