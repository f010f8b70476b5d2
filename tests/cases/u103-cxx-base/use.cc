#include "input.h"
struct timed : job {
	long when;
};
int main()
{
	timed timed{ 1, 7, 2, 9 };
	return !(timed.value == 7 && timed.state == 2 && timed.when == 9);
}
