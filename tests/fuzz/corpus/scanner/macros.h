struct s {
#define X(t, n) t n;
	LIST(X)
#undef X
	COMPAT_BEGIN(6)
	int flags;
#define F_A 1 /* one */
#define F_B \
	2
#include "fields.def"
	DECLARE_BITMAP(m, 100);
	TAILQ_ENTRY(s)
		link;
	int g
		GUARDED_BY(lock);
	_Static_assert(sizeof(int) == 4, "x;");
#pragma pack(1)
	unsigned x:3, :0;

	unsigned y:4;
	END
};
