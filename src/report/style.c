#include "report/style.h"

static const char *const codes[] = {
	[RS_STYLE_PLAIN] = "",           [RS_STYLE_HEADING] = "1",          [RS_STYLE_READ] = "38;5;32",
	[RS_STYLE_WRITE] = "1;38;5;166", [RS_STYLE_BOTH] = "1;38;5;175",    [RS_STYLE_COLD] = "38;5;245",
	[RS_STYLE_HOLE] = "38;5;250",    [RS_STYLE_NEIGHBOUR] = "38;5;178", [RS_STYLE_WARNING] = "1",
};

void rs_style_begin(struct rs_builder *out, bool on, enum rs_style style)
{
	if (on && style != RS_STYLE_PLAIN)
		rs_builder_printf(out, "\033[%sm", codes[style]);
}

void rs_style_end(struct rs_builder *out, bool on, enum rs_style style)
{
	if (on && style != RS_STYLE_PLAIN)
		rs_builder_appends(out, "\033[0m");
}
