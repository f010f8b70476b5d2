#ifndef INPUT_H
#define INPUT_H
#define WORD_BITS 64
#define BIT_WORD(nr) ((nr) / WORD_BITS)

struct device {
	char kind;
	unsigned long low;
	unsigned long high;
	char mode;
};

static inline void set_bit(long nr, unsigned long *words)
{
	words[BIT_WORD(nr)] |= 1UL << nr % WORD_BITS;
}
#endif
