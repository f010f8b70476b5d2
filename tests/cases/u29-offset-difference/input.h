#ifndef INPUT_H
#define INPUT_H
#include <stddef.h>
#include <stdint.h>

struct s { uint32_t a; uint32_t b; uint64_t c; uint32_t d; };
#define PART (offsetof(struct s, d) - offsetof(struct s, b))
#endif
