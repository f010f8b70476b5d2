#include "input.h"
#include <vector>
int main()
{
	std::vector<job> jobs;
	jobs.emplace_back((char)1, 7, (char)2);
	return !(jobs[0].value == 7 && jobs[0].state == 2);
}
