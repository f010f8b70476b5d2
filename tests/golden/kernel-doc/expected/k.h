#ifndef K_H
#define K_H
/**
 * struct job - what a worker does
 * @kind: one of the kinds,
 *	which are many
 * @urgent: whether it comes first
 * @done: nobody waits for it
 * @next: the job behind it
 * @state: where it stands
 * @state.step: and how far
 * @owner: who asked
 *
 * Jobs are taken from @next on.
 */
struct job {
	char kind;
	char urgent;
	char done;
	struct job *next;
	struct {
		long step;
	} state;
	void *owner;
};

/**
 * @a: lines apart
 *
 * @c: stay apart
 *
 * @b: from each other
 */
typedef struct {
	char a;
	char c;
	long b;
} apart;

/**
 * @a: told in an
 * @c: order of its own
 * @b: that stays
 */
struct own {
	char a;
	char c;
	long b;
};

/**
 * @a: what follows may belong
 * @b: to anything
 *
 * Between.
 * @c: so it stays
 */
struct unclear {
	char a;
	char c;
	long b;
};
#endif
