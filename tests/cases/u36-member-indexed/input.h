#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>

struct s { uint8_t tag; uint32_t x, y, z; uint64_t more; };
struct r { uint32_t x; uint8_t tag; };
#endif
