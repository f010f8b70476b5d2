#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>

struct s { uint32_t a; uint64_t b; uint32_t c; };
#endif
