#include "input.h"
static long twice(long value)
{
	return 2 * value;
}
static const struct ops table = {
	.kind = 1,
#if defined(WITH_GET)
#ifdef WITH_MORE
	.name = "more",
#endif
	.get = twice,
	.state = 5,
#else
	.state = 4,
#endif
	.put = twice,
};
static const struct event events[] = {
#define EVENT_FIRST 1
	{ .mask = EVENT_FIRST, .ops = { .kind = 2, .name = "first" } },
#define EVENT_LAST 2
	[2] = { .mask = EVENT_LAST,
		.ops = {
#ifdef WITH_GET
			.get = twice,
#endif
			.put = twice } },
};
int main(void)
{
	return !(table.kind == 1 && table.state == 4 && table.put(4) == 8 && events[0].ops.name[0] == 'f' &&
		 events[0].mask == 1 && events[2].ops.put(1) == 2 && events[2].mask == 2);
}
