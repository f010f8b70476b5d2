#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>

struct s { uint8_t a; uint32_t b; uint8_t c; };
#endif
