/*
 * ANSI colours of the text writers: the Okabe-Ito palette in the 256-colour cube, chosen to stay apart for
 * colour-blind eyes. Colour only adds: whatever it says is also said by a glyph or a word.
 */
#ifndef RS_REPORT_STYLE_H
#define RS_REPORT_STYLE_H

#include "base/builder.h"

enum rs_style {
	RS_STYLE_PLAIN,
	RS_STYLE_HEADING,
	RS_STYLE_READ,
	RS_STYLE_WRITE,
	RS_STYLE_BOTH,
	RS_STYLE_COLD,
	RS_STYLE_HOLE,
	RS_STYLE_NEIGHBOUR,
	RS_STYLE_WARNING,
};

/* Nothing is printed with on = false, nor for RS_STYLE_PLAIN. */
void rs_style_begin(struct rs_builder *out, bool on, enum rs_style style);
void rs_style_end(struct rs_builder *out, bool on, enum rs_style style);

#endif
