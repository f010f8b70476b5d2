#ifndef CMD_H
#define CMD_H

struct limits { int low, high; };

struct command {
	char kind;
	const char *name; /* as it is typed */
	short flags;
	int (*run)(int argc, char **argv);
	struct limits limits;
	char letter;
};

extern const struct command commands[];

static inline struct command command_of(const char *name)
{
	return (struct command){ 'n', name };
}
#endif
