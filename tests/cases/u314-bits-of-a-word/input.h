#ifndef INPUT_H
#define INPUT_H
#define WORD_BITS 64
#define BIT_WORD(nr) ((nr) / WORD_BITS)
#define BIT_SHIFT 6

struct device {
	char kind;
	unsigned long state;
	char ready;
	unsigned long flags;
	char mode;
};

static inline void set_bit(long nr, volatile unsigned long *words)
{
	words[BIT_WORD(nr)] |= 1UL << nr % WORD_BITS;
}

static inline int test_bit(long nr, const volatile unsigned long *words)
{
	return 1UL & words[nr >> BIT_SHIFT] >> (nr & (WORD_BITS - 1));
}

static inline void clear_bit(int nr, volatile void *words)
{
	*((unsigned int *)words + nr / 32) &= ~(1U << nr % 32);
}
#endif
