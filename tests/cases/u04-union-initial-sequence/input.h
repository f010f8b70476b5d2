#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>

struct s { uint8_t kind; uint64_t value; uint8_t flag; };
struct t { uint8_t kind; char text[15]; };
union node { struct s s; struct t t; };
#endif
