#include "input.h"
#include <string>
struct maker {
	long value;
	operator job() const { job made{}; made.value = value; return made; }
};
struct named {
	std::string name;
	job own;
};
struct counted {
	counted(int count) : count(count) {}
	int count;
};
struct both {
	counted number;
	job own;
};
int main()
{
	maker one{ 1 }, two{ 2 }, three{ 3 };
	job jobs[] = { one, two, three };
	named first = { "first", 1, 20, 3 };
	both last = { 5, 4, 50, 6 };
	return !(sizeof jobs == 3 * sizeof(job) && jobs[1].value == 2 && first.own.value == 20 && first.own.state == 3 &&
		 last.own.value == 50 && last.own.state == 6);
}
