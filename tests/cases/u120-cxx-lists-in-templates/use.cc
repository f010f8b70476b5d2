#include "input.h"
#include <algorithm>
#include <vector>
template <class T> struct holder {
	job own{ 1, 20, 3 };
	T other;
	std::vector<T> all;
	holder(T first, T second) : other(first), all{ first, second } {}
	long sum() { job last{ 4, 50, 6 }; return own.value + last.value; }
};
int main()
{
	holder<int> holder(3, 4);
	std::vector<job> jobs(2);
	std::for_each(jobs.begin(), jobs.end(), [](auto &job) { job.value = 5; });
	return !(holder.sum() == 70 && holder.all[1] == 4 && jobs[1].value == 5);
}
