#include <stdint.h>
struct inner { char p; long q; };
struct s {
	char a;
	char c;
	unsigned f1:3;
	unsigned :5;
	unsigned f2:4;
	int :0;
	unsigned f3:3;
#ifdef FOO
	int foo;
#else
	char notfoo; /* it is not */
#endif
	char e1, e2;
	long b;
	struct { char n1; long n2; } nest;
	struct inner in;
	long d;
	union { int u1; char u2; };
	int arr[0];
	struct { } empty;
	char z;
};
typedef struct {
	char a;
	char c;
	long b;
} td_t;
struct outer {
	char k;
	char l;
	char w;
	struct mid { char a; long b; char c; } m;
	long o;
};
struct big { char a; char c; char d; struct outer o; struct s s;};
struct nameless {
	char a;
	int :5;
	char c;
	int :5;
	char e;
	long b;
	long d;
};
struct marked {
	long l;
	unsigned :3;
	unsigned a:2;
	int :0;
	union { struct { int p, q; }; struct { char inner; } named; };
	struct { };
	char c;
	union { };
	char tail;
	long k;
};
