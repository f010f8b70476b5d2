#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>

struct s { uint8_t kind; uint32_t length; uint8_t last; };
union packet { struct s s; unsigned char bytes[12]; };
#endif
