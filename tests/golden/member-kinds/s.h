#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#define FIELD(type, name) type name
#define PAIR(name) int name##_lo; int name##_hi

struct node { struct node *next; };

typedef struct { char tag; double value; } unnamed_t;

struct kinds {
	char		text[16], *cursor;
	int		(*compare)(const void *, const void *);
	struct node	link;
	struct { short x, y; } point;
	union {
		int	i;
		float	f;
		struct { char lo, hi; };
	};
	unsigned	ready : 1, mode : 3;
	unsigned	: 0;
	uint64_t	wide : 40;
	alignas(32) int	aligned_int;
	long		forced __attribute__((aligned(16)));
	FIELD(short, from_macro);
	PAIR(pair);
	_Atomic int	counter;
	const volatile int *port;
	unnamed_t	inner;
	enum { RED, GREEN } color;
#ifdef WITH_EXTRA
	long		extra;
#endif
	size_t		n;
	unsigned char	data[];
};
