#include "base/interrupt.h"

static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

void rs_interrupt_hold(struct rs_interrupt *interrupt)
{
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < RS_COUNT_OF(signals); i++)
		sigaddset(&held, signals[i]);
	interrupt->is_held = pthread_sigmask(SIG_BLOCK, &held, &interrupt->before) == 0;
}

bool rs_interrupt_is_waiting(const struct rs_interrupt *interrupt)
{
	sigset_t waiting;

	if (!interrupt->is_held || sigpending(&waiting) != 0)
		return false;
	for (size_t i = 0; i < RS_COUNT_OF(signals); i++) {
		struct sigaction action;

		/* Linux keeps a held signal for later even when it is ignored. */
		if (sigismember(&waiting, signals[i]) == 1 &&
		    sigismember(&interrupt->before, signals[i]) == 0 &&
		    sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			return true;
	}
	return false;
}

void rs_interrupt_release(struct rs_interrupt *interrupt)
{
	if (interrupt->is_held)
		pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
	interrupt->is_held = false;
}
