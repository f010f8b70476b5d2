#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>

struct s { uint8_t a; uint64_t b; uint8_t c; };
struct value { int kind; union { struct s s; double d; char text[8]; int64_t number; } u; };
#endif
