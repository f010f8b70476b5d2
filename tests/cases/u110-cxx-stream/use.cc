#include "input.h"
#include <cstring>
#include <sstream>
int main()
{
	job job{};
	std::stringstream out;
	long value;
	job.value = 7;
	out.write((char *)&job, sizeof job);
	std::memcpy(&value, out.str().data() + 8, sizeof value);
	return value != 7;
}
