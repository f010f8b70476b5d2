#include "input.h"
#include <cstring>
#include <tuple>
#include <vector>
static job table[] = { { 1, 20, 3 }, { 4, 50, 6 } }, flat[] = { 1, 20, 3, 4, 50, 6 };
static job named = { .kind = 7, .value = 80, .state = 9 };
static job part{ .value = 10, .state = 11 };
static queue nested = { .length = 2, .first = { 1, 20, 3 }, .second = { .kind = 4, .value = 50 } };
struct owner {
	job own{ 1, 20, 3 };
	job other;
	owner() : other{ 4, 50, 6 } {}
};
static job make(long value) { return { 1, value, 3 }; }
static long value_of(const job &job) { return job.value; }
int main()
{
	std::vector<job> list{ { 1, 20, 3 }, { 4, 50, 6 } };
	list.push_back({ 7, 80, 9 });
	list.push_back(job{ 1, 20, 3 });
	job *made = new job{ 4, 50, 6 };
	char kind, state;
	long value;
	owner owner;
	std::tie(kind, value, state) = std::make_tuple(made->kind, made->value, made->state);
	bool good = table[1].value == 50 && table[1].state == 6 && flat[1].value == 50 && flat[0].state == 3;
	good = good && named.value == 80 && named.state == 9 && part.value == 10 && part.kind == 0;
	good = good && nested.first.value == 20 && nested.second.value == 50 && nested.second.kind == 4;
	good = good && owner.own.value == 20 && owner.other.state == 6 && make(20).value == 20;
	good = good && list[2].value == 80 && list[3].state == 3 && value_of({ 1, 2, 3 }) == 2;
	good = good && kind == 4 && value == 50 && state == 6;
	delete made;
	return !good;
}
