#ifndef INPUT_H
#define INPUT_H
#include <stddef.h>
#include <stdint.h>

struct s { uint64_t a; uint8_t b; uint64_t rare; uint8_t more; };
#endif
