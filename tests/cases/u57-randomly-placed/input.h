#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>

#ifdef HAVE_RANDOM
#define __randomize_layout __attribute__((randomize_layout))
#else
#define __randomize_layout
#endif
struct s { uint8_t a; uint64_t b; uint8_t c; } __randomize_layout;
#endif
