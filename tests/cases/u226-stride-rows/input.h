#include <stddef.h>

struct s { char c; long a; char z; int b; char y; };
