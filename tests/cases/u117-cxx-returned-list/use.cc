#include "input.h"
template <class T> job make(T value)
{
	return { 1, value, 2 };
}
int main()
{
	return !(make(7L).value == 7 && make(7L).state == 2);
}
