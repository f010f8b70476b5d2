#include "base/utf8.h"

/* Lead bytes with the range that the second byte must lie in: this is where overlong forms, surrogates and
 * numbers that are too large are told from the rest. */
static const struct {
	unsigned char first, last, length, low, high;
} leads[] = {
	{ 0x00, 0x7f, 1, 0, 0 },       { 0xc2, 0xdf, 2, 0x80, 0xbf }, { 0xe0, 0xe0, 3, 0xa0, 0xbf },
	{ 0xe1, 0xec, 3, 0x80, 0xbf }, { 0xed, 0xed, 3, 0x80, 0x9f }, { 0xee, 0xef, 3, 0x80, 0xbf },
	{ 0xf0, 0xf0, 4, 0x90, 0xbf }, { 0xf1, 0xf3, 4, 0x80, 0xbf }, { 0xf4, 0xf4, 4, 0x80, 0x8f },
};

static size_t check_rest(const unsigned char *bytes, size_t size, size_t lead)
{
	if (size < leads[lead].length)
		return 0;
	if (leads[lead].length > 1 && (bytes[1] < leads[lead].low || bytes[1] > leads[lead].high))
		return 0;
	for (size_t i = 2; i < leads[lead].length; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	}
	return leads[lead].length;
}

size_t rs_utf8_length(const char *text, size_t size)
{
	const unsigned char *bytes = (const unsigned char *)text;

	if (size == 0)
		return 0;
	for (size_t i = 0; i < RS_COUNT_OF(leads); i++) {
		if (bytes[0] >= leads[i].first && bytes[0] <= leads[i].last)
			return check_rest(bytes, size, i);
	}
	return 0;
}
