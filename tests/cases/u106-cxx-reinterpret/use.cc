#include "input.h"
#include <cstring>
int main()
{
	job job{};
	long value;
	job.value = 7;
	std::memcpy(&value, &reinterpret_cast<const char &>(job) + sizeof(long), sizeof value);
	return value != 7;
}
