#ifndef INPUT_H
#define INPUT_H
#include <stddef.h>
#include <stdint.h>

struct s { uint64_t head; uint8_t start; uint64_t x; uint8_t end; };
#endif
