#include "input.h"
#include <algorithm>
int main()
{
	job jobs[2] = {};
	std::transform(jobs, jobs + 2, jobs, [](auto job) { return decltype(job){ 1, 7, 2 }; });
	return !(jobs[1].value == 7 && jobs[1].state == 2);
}
