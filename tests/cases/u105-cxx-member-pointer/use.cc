#include "input.h"
#include <cstring>
int main()
{
	long job::*where = &job::value, bytes;
	static_assert(sizeof where == sizeof bytes);
	std::memcpy(&bytes, &where, sizeof bytes);
	return bytes != 8;
}
