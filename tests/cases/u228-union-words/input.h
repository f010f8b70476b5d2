#include <stdint.h>

struct s { uint8_t type; uint16_t id; uint8_t flags; uint32_t seq; };
