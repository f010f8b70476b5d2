#include "record/embedding.h"

#include "record/layout.h"

struct embedding {
	const struct rs_record *container;
	size_t member;
	uint64_t size_bytes; /* of one record */
	uint64_t *offset_bits;
};

static uint64_t round_up(uint64_t value, uint64_t multiple)
{
	return multiple ? (value + multiple - 1) / multiple * multiple : value;
}

static bool holds(const struct embedding *embedding, size_t member)
{
	return member <= embedding->member &&
	       embedding->member <= member + embedding->container->members[member].n_inside;
}

/* A member that the record does not lie in keeps what is inside it where it is. */
static void place_whole(const struct embedding *embedding, size_t member, uint64_t offset_bits)
{
	const struct rs_member *members = embedding->container->members;

	for (size_t i = member; i <= member + members[member].n_inside; i++)
		embedding->offset_bits[i] = offset_bits + members[i].offset_bits - members[member].offset_bits;
}

/* The members from first to end - 1 and theirs, from start_bits on; gives their size without padding behind. */
static uint64_t place_members(const struct embedding *embedding, size_t first, size_t end, uint64_t start_bits,
			      bool is_union);

/* The bits that the member takes in the new layout, with all inside it placed at offset_bits. */
static uint64_t place_inside(const struct embedding *embedding, size_t member, uint64_t offset_bits)
{
	const struct rs_member *own = &embedding->container->members[member];
	uint64_t count = own->is_array && own->array_count ? own->array_count : 1, size;

	if (!holds(embedding, member)) {
		place_whole(embedding, member, offset_bits);
		return own->size_bits;
	}
	embedding->offset_bits[member] = offset_bits;
	if (member == embedding->member) {
		place_whole(embedding, member, offset_bits);
		return embedding->size_bytes * 8 * count;
	}
	size = place_members(embedding, member + 1, member + 1 + own->n_inside, offset_bits, own->is_union);
	return round_up(size, (uint64_t)own->align_bytes * 8);
}

static uint64_t place_members(const struct embedding *embedding, size_t first, size_t end, uint64_t start_bits,
			      bool is_union)
{
	const struct rs_record *container = embedding->container;
	uint64_t end_bits = 0, longest = 0;

	for (size_t m = first; m < end; m = rs_record_next_sibling(container, m)) {
		uint64_t offset;

		if (is_union)
			end_bits = 0;
		offset = rs_layout_place(&container->members[m], &end_bits);
		end_bits = offset + place_inside(embedding, m, start_bits + offset);
		longest = longest < end_bits ? end_bits : longest;
	}
	return longest;
}

void rs_embedding_compute(const struct rs_record *container, size_t member, uint64_t size_bytes,
			  uint64_t *ret_offset_bits, uint64_t *ret_size_bytes)
{
	const struct embedding embedding = { container, member, size_bytes, ret_offset_bits };
	uint64_t end_bits = place_members(&embedding, 0, container->n_members, 0, false);

	*ret_size_bytes = round_up(round_up(end_bits, 8) / 8, container->align_bytes);
}
