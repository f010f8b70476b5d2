#ifndef INPUT_H
#define INPUT_H
#include <stddef.h>
#include <stdint.h>

struct s { uint32_t keep; uint64_t a; uint8_t b; uint64_t c; };
#endif
