#include <stdint.h>
struct inner { char p; long q; };
struct s {
	char a;
	long b;
	char c;
	unsigned f1:3;
	unsigned :5;
	unsigned f2:4;
	int :0;
	unsigned f3:3;
	long d;
	union { int u1; char u2; };
	struct { char n1; long n2; } nest;
#ifdef FOO
	int foo;
#else
	char notfoo; /* it is not */
#endif
	struct inner in;
	char e1, e2;
	int arr[0];
	struct { } empty;
	char z;
};
typedef struct {
	char a;
	long b;
	char c;
} td_t;
struct outer {
	char k;
	struct mid { char a; long b; char c; } m;
	char l;
	long o;
	char w;
};
struct big { char a; struct outer o; char c; struct s s; char d;};
struct nameless {
	char a;
	long b;
	int :5;
	char c;
	long d;
	int :5;
	char e;
};
struct marked {
	unsigned :3;
	unsigned a:2;
	long l;
	int :0;
	union { struct { int p, q; }; struct { char inner; } named; };
	struct { };
	char c;
	union { };
	long k;
	char tail;
};
