/*
 * Signals that ask the process to end, held back while files are half replaced: what was begun is finished or
 * taken back, then they take effect.
 */
#ifndef RS_BASE_INTERRUPT_H
#define RS_BASE_INTERRUPT_H

#include <signal.h>

#include "base/base.h"

struct rs_interrupt {
	bool is_held;
	sigset_t before; /* the thread's mask */
};

/* Holds back SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE in this thread. */
void rs_interrupt_hold(struct rs_interrupt *interrupt);
/* Whether one of them waits that is neither ignored nor was held back before. */
bool rs_interrupt_is_waiting(const struct rs_interrupt *interrupt);
/* Lets them go: the process may end here. Also for RS_CLEANUP. */
void rs_interrupt_release(struct rs_interrupt *interrupt);

#endif
