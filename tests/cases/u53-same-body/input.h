#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>

struct one {
#include "body.inc"
};
struct two {
#include "body.inc"
};
#endif
