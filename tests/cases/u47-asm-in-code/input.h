#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>

struct s { uint8_t a; uint64_t b; uint8_t c; };
#endif
