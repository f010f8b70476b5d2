#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>

struct s { uint8_t tag; uint32_t x; uint32_t y; uint32_t z; uint64_t more; };
#endif
