#include <stdint.h>

struct s { char head[3]; int16_t end; char more; int16_t k; char last; };
