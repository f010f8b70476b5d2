#include "input.h"
int main()
{
	job job{};
	job.value = 7;
	auto &[kind, value, state] = job;
	return !(value == 7 && kind == 0 && state == 0);
}
