#ifdef A
struct s { char a; long b; char c; };
#else
struct t { char a; long b; char c; };
_Static_assert(sizeof(struct t) == 24, "t is written to disk");
#endif
struct u { char a; long b; char c; };
