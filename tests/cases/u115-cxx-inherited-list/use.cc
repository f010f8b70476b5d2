#include "input.h"
struct base {
	int id;
};
struct owner : base {
	job own;
};
int main()
{
	owner owner = { 9, 1, 20, 3 };
	return !(owner.id == 9 && owner.own.kind == 1 && owner.own.value == 20);
}
