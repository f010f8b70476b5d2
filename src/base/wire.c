#include "base/wire.h"

#include <string.h>

/* Seven bits a byte, the lowest first; the eighth says that more follow. */
void rs_wire_put_number(struct rs_builder *out, uint64_t number)
{
	char bytes[10];
	size_t size = 0;

	for (; number >= 0x80; number >>= 7)
		bytes[size++] = (char)(number | 0x80);
	bytes[size++] = (char)number;
	rs_builder_append(out, bytes, size);
}

void rs_wire_put_bytes(struct rs_builder *out, const char *bytes, size_t size)
{
	rs_wire_put_number(out, size);
	rs_builder_append(out, bytes, size);
}

/* One more than the length, so that 0 is NULL. */
void rs_wire_put_text(struct rs_builder *out, const char *text)
{
	size_t length = text ? strlen(text) : 0;

	rs_wire_put_number(out, text ? length + 1 : 0);
	rs_builder_append(out, text ? text : "", length);
}

void rs_wire_init(struct rs_wire *wire, const char *bytes, size_t size)
{
	*wire = (struct rs_wire) { .at = bytes, .end = bytes + size };
}

static uint64_t break_off(struct rs_wire *wire)
{
	wire->is_broken = true;
	wire->at = wire->end;
	return 0;
}

uint64_t rs_wire_get_number(struct rs_wire *wire)
{
	uint64_t number = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (wire->at >= wire->end)
			return break_off(wire);
		unsigned char byte = (unsigned char)*wire->at++;

		if (shift == 63 && byte > 1)
			return break_off(wire);
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return number;
	}
	return break_off(wire);
}

uint64_t rs_wire_get_limited(struct rs_wire *wire, uint64_t limit)
{
	uint64_t number = rs_wire_get_number(wire);

	return number > limit ? break_off(wire) : number;
}

bool rs_wire_get_bool(struct rs_wire *wire)
{
	return rs_wire_get_limited(wire, 1) == 1;
}

size_t rs_wire_get_count(struct rs_wire *wire)
{
	uint64_t count = rs_wire_get_number(wire);

	return (size_t)(count > (uint64_t)(wire->end - wire->at) ? break_off(wire) : count);
}

const char *rs_wire_get_bytes(struct rs_wire *wire, size_t *ret_size)
{
	size_t size = rs_wire_get_count(wire);
	const char *bytes = wire->at;

	wire->at += size;
	*ret_size = size;
	return bytes;
}

const char *rs_wire_get_text(struct rs_wire *wire, struct rs_arena *arena)
{
	uint64_t length = rs_wire_get_number(wire);
	const char *bytes = wire->at;

	if (length == 0)
		return NULL;
	length--;
	if (length > (uint64_t)(wire->end - wire->at) || memchr(bytes, '\0', (size_t)length)) {
		break_off(wire);
		return NULL;
	}
	wire->at += length;
	return rs_arena_strndup(arena, bytes, (size_t)length);
}

const char *rs_wire_get_string(struct rs_wire *wire, struct rs_arena *arena)
{
	const char *text = rs_wire_get_text(wire, arena);

	return text ? text : "";
}

bool rs_wire_is_done(const struct rs_wire *wire)
{
	return !wire->is_broken && wire->at == wire->end;
}
