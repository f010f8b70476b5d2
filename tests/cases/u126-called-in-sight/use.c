#include "input.h"
static char area[32];
static int deliver(struct applet *applet, int (*prepare)(char *, unsigned long, struct request *),
		   struct request *request)
{
	int length = prepare ? prepare(area, sizeof area, request) : -1;
	applet->sent += length;
	applet->state = area[0];
	applet->flags++;
	return length;
}
static int prepare_hello(char *text, unsigned long size, struct request *request)
{
	text[0] = request->kind;
	text[1] = (char)('0' + request->value);
	return size < 2 ? -1 : 2;
}
int main(void)
{
	struct applet applet = { 0 };
	struct request request = { .kind = 'h', .value = 4 };
	deliver(&applet, prepare_hello, &request);
	return !(applet.sent == 2 && applet.state == 'h' && applet.flags == 1 && area[1] == '4');
}
