#include "input.h"
#include <cstring>
#include <sstream>
template <class T> void save(T &out, const job &job)
{
	out.write((const char *)&job, sizeof job);
}
int main()
{
	job job{};
	std::stringstream out;
	long value;
	job.value = 7;
	save(out, job);
	std::memcpy(&value, out.str().data() + 8, sizeof value);
	return value != 7;
}
