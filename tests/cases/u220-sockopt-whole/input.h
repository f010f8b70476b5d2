#include <stdint.h>

struct s { int64_t seconds; int64_t micros; char note; int64_t seen; char more; };
