/*
 * A peer. dtime is set when refcnt drops to zero; @state and the lock are plain words here, but for one.
 * @refcnt: users
 */
struct peer {
	char refcnt;	/* see dtime */
	/* the following two fields are protected by lock */
	long one;
	char two;
	long three;
	/* written before peer->state, with refcnt held */
	int dtime;
	char state;
	long lock;
	char hops;
};

struct queue {
	char mode;

	/* the next 3 counters have one writer */

	char head_count;
	long tail_count;
	char drop_count;

	long name;
	char kind;
	long stamp;
};
