#ifndef CMD_H
#define CMD_H

struct limits { int low, high; };

struct command {
	char kind;
	short flags;
	struct limits limits;
	char letter;
	const char *name; /* as it is typed */
	int (*run)(int argc, char **argv);
};

extern const struct command commands[];

static inline struct command command_of(const char *name)
{
	return (struct command){ .kind = 'n', .name = name };
}
#endif
