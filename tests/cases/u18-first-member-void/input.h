#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>

struct s { int kind; uint64_t value; uint8_t flag; uint64_t more; uint8_t last; };
#endif
