#ifndef INPUT_H
#define INPUT_H
#include <stddef.h>
#include <stdint.h>

struct s { uint8_t a; uint32_t b; uint8_t c; };
int chan_write_full(int fd, const void *data, size_t size);
#endif
