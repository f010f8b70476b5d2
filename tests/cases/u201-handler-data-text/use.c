#include "input.h"

static struct {
	answer_fn answer;
	release_fn release;
	void *data;
	char text[16];
} prompt;

static void ask(const char *text, answer_fn answer, release_fn release, void *data)
{
	for (int i = 0; i < 15 && text[i]; i++)
		prompt.text[i] = text[i];
	prompt.answer = answer;
	prompt.release = release;
	prompt.data = data;
}

static int answered(void *data, const char *text, int done)
{
	struct job *job = data;

	job->length = 0;
	while (text[job->length] != '\0')
		job->length++;
	job->flags = text[0];
	return done;
}

static void release(void *data)
{
	struct job *job = data;

	job->state = 'r';
}

int main(void)
{
	struct job job = { .state = 's' };

	ask("name?", answered, release, &job);
	if (prompt.answer(prompt.data, "joe", 1) != 1)
		return 1;
	prompt.release(prompt.data);
	return !(job.length == 3 && job.flags == 'j' && job.state == 'r' && prompt.text[4] == '?');
}
