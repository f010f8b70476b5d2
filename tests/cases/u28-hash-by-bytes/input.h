#ifndef INPUT_H
#define INPUT_H
#include <stddef.h>
#include <stdint.h>

struct s { uint16_t a; uint32_t b; uint16_t c; };
uint32_t fnv_hash(const void *key, size_t n);
#endif
