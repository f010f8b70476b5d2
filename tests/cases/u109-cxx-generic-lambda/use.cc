#include "input.h"
#include <algorithm>
int main()
{
	job jobs[2] = {};
	long sum = 0;
	jobs[0].value = 3;
	jobs[1].value = 4;
	std::for_each(jobs, jobs + 2, [&](const auto &job) {
		const auto &[kind, value, state] = job;
		sum += value;
	});
	return sum != 7;
}
