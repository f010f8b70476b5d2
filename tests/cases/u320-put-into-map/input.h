#ifndef INPUT_H
#define INPUT_H
struct key {
	struct key *next;
	int hash;
};
struct entry {
	struct key key;
	char state;
	long value;
	char kind;
};
/* map.c: what is put in begins with a key, by convention. */
void map_put(void *entry, int hash);
void *map_get(int hash);
#endif
