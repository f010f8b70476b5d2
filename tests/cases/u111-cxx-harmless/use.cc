#include "input.h"
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>
static int visit(void *context)
{
	return (int)static_cast<job *>(context)->value;
}
template <class T> static T larger(T a, T b) { return a < b ? b : a; }
int main()
{
	std::vector<job> jobs(3);
	std::map<std::string, job> named;
	std::unique_ptr<job> own(new job());
	for (auto &job : jobs)
		job.value = 9 - job.value;
	jobs[1].value = 4;
	std::sort(jobs.begin(), jobs.end(), [](const job &a, const job &b) { return a.value < b.value; });
	named["first"] = jobs[0];
	named.insert({ "last", jobs[2] });
	own->value = larger(jobs[0].value, 3L);
	std::swap(jobs[0], jobs[1]);
	auto *raw = static_cast<job *>(std::calloc(1, sizeof(job)));
	raw->value = named["first"].value;
	int sum = visit(raw) + visit(own.get());
	std::free(raw);
	return !(sum == 8 && jobs[1].value == 4);
}
