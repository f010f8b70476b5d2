#include "input.h"
template <class T> job make(T value)
{
	job made = { 1, value, 2 };
	return made;
}
int main()
{
	return !(make(7L).value == 7 && make(7L).state == 2);
}
