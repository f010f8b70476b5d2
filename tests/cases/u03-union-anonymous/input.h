#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>

struct s { uint16_t low; uint32_t high; uint16_t mid; };
struct reg { int dirty; union { struct s part; uint32_t words[3]; }; };
#endif
