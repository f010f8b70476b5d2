struct s { char c; int a; char z; long b; };
struct link { unsigned long to; };
#define target(l) ((struct s *)((l)->to & ~3))
