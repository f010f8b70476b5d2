#ifndef K_H
#define K_H
/**
 * struct job - what a worker does
 * @kind: one of the kinds,
 *	which are many
 * @next: the job behind it
 * @urgent: whether it comes first
 * @state: where it stands
 * @state.step: and how far
 * @done: nobody waits for it
 * @owner: who asked
 *
 * Jobs are taken from @next on.
 */
struct job {
	char kind;
	struct job *next;
	char urgent;
	struct {
		long step;
	} state;
	char done;
	void *owner;
};

/**
 * @a: lines apart
 *
 * @b: from each other
 *
 * @c: stay apart
 */
typedef struct {
	char a;
	long b;
	char c;
} apart;

/**
 * @a: told in an
 * @c: order of its own
 * @b: that stays
 */
struct own {
	char a;
	long b;
	char c;
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
	long b;
	char c;
};
#endif
