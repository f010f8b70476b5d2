#include "input.h"
template <class T> T make(char kind, long value, char state)
{
	return T{ kind, (char)value, state };
}
int main()
{
	auto made = make<job>(1, 7, 2);
	return !(made.value == 7 && made.state == 2);
}
