#include "a.h"
#include "b.h"
#include "d.h"

/* Either may shrink, but not both. */
_Static_assert(sizeof(struct a) + sizeof(struct b) >= 56, "what the peer expects");
