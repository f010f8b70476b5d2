#ifndef INPUT_H
#define INPUT_H
#include <stddef.h>
#include <stdint.h>

struct link { struct link *next; };
struct s { uint8_t a; struct link link; uint8_t c; uint64_t d; };
#define container_of(p, type, m) ((type *)((char *)(p) - offsetof(type, m)))
#define of_link(p) container_of(p, struct s, link)
#endif
