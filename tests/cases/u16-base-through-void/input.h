#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>

struct base { uint8_t kind; uint32_t refs; };
struct s { uint8_t kind; uint32_t refs; uint8_t flag; uint64_t value; };
#endif
