#include "input.h"
int main(void)
{
	struct stream stream = { .id = 4, .out = { .state = 1, .length = 7, .flags = 2 } };
	struct channel *channel = &stream.out;
	return !(LIST_ELEM(channel, struct stream *, out)->id == 4 &&
		 holder_of(channel, struct stream, out)->out.length == 7 && channel->state == 1 &&
		 channel->flags == 2);
}
