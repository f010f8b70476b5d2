#include "input.h"
#include <algorithm>
#include <cstring>
int main()
{
	job jobs[2] = {};
	unsigned char bytes[sizeof(job)];
	long value;
	jobs[1].value = 7;
	std::for_each(jobs, jobs + 2, [&](const auto &any) { std::memcpy(bytes, &any, sizeof any); });
	std::memcpy(&value, bytes + 8, sizeof value);
	return value != 7;
}
