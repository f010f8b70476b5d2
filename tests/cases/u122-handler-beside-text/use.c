#include "input.h"
static const char *save(struct parser *parser, const char *at,
			const char *(*handler)(struct parser *, const char *))
{
	parser->next = handler;
	return at;
}
static const char *read_body(struct parser *parser, const char *at)
{
	if (at[0] != 'b')
		return save(parser, at, read_body);
	parser->length = at[1] - '0';
	return at + 2;
}
static const char *read_head(struct parser *parser, const char *at)
{
	parser->state = at[0];
	parser->flags = (short)at[1];
	return save(parser, at + 2, read_body);
}
int main(void)
{
	struct parser parser = { .next = read_head };
	const char *text = "h1b4";
	text = parser.next(&parser, text);
	text = parser.next(&parser, text);
	return !(*text == 0 && parser.state == 'h' && parser.flags == '1' && parser.length == 4);
}
