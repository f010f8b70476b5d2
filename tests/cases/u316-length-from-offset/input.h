#ifndef INPUT_H
#define INPUT_H
#include <stdint.h>
struct disk_entry {
	uint32_t device;
	uint8_t mode;
	uint32_t user;
	uint8_t flags;
	unsigned char data[38];
	uint32_t after;
};
#endif
