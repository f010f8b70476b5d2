#include "session/guard.h"

#include <string.h>

#include "base/path.h"
#include "record/hazards.h"
#include "session/installed.h"
#include "text/patch.h"

struct rs_error *rs_guard_config(struct rs_session *session, const char *realpath,
				 const struct rs_config **ret_config)
{
	const char *path = session->options.with_config
				   ? rs_config_locate(session->arena, realpath, session->config_root)
				   : NULL;

	*ret_config = NULL;
	if (!path)
		return NULL;
	for (size_t i = 0; i < session->n_configs; i++)
		if (strcmp(session->configs[i]->path, path) == 0) {
			*ret_config = session->configs[i];
			return NULL;
		}
	struct rs_config *config = rs_arena_new(session->arena, struct rs_config);
	RS_TRY(rs_config_read(session->arena, path, config));
	*rs_array_push(session->arena, session->configs, session->n_configs, session->configs_capacity) =
		config;
	*ret_config = config;
	return NULL;
}

/* What is changed in a file, for messages. */
struct subject {
	const char *realpath;
	const char *what; /* "the file", "the initialiser at use.c:12" */
};

static struct rs_error *check_rules(struct rs_session *session, const struct subject *subject,
				    struct rs_pin_list *list)
{
	const struct rs_config *config;

	RS_TRY(rs_guard_config(session, subject->realpath, &config));
	for (size_t i = 0; config && i < config->n_rules; i++) {
		const struct rs_config_rule *rule = &config->rules[i];

		if (!rule->keep || !rs_config_matches(session->arena, config, rule, subject->realpath))
			continue;
		rs_pin_add(list, "path-rule", RS_PIN_HARD, RS_NONE, rule->line, true,
			   "a rule of the configuration keeps %s as it is", subject->what);
		list->pins[list->n_pins - 1].file = config->path;
		return NULL;
	}
	return NULL;
}

/* Not asked where the whole place is ignored, which is then some other project's folder inside this one. */
static bool ask_git(struct rs_session *session, const char *realpath)
{
	const char *top = rs_git_top_level(session->arena, session->root);

	return top && rs_git_is_ignored(top, realpath) && !rs_git_is_ignored(top, session->root) &&
	       !rs_git_is_ignored(top, rs_path_canonical(session->arena, "."));
}

/* What version control ignores is made by a build or is nobody's source. */
static bool is_ignored(struct rs_session *session, const char *realpath)
{
	for (size_t i = 0; i < session->n_guarded; i++)
		if (strcmp(session->guarded[i].realpath, realpath) == 0)
			return session->guarded[i].is_ignored;
	struct rs_session_guarded *guarded =
		rs_array_push(session->arena, session->guarded, session->n_guarded, session->guarded_capacity);
	*guarded = (struct rs_session_guarded) { realpath, ask_git(session, realpath) };
	return guarded->is_ignored;
}

static struct rs_error *check_file(struct rs_session *session, const struct subject *subject,
				   const struct rs_source *source, size_t byte, struct rs_pin_list *list)
{
	RS_TRY(check_rules(session, subject, list));
	if (!is_ignored(session, subject->realpath))
		return NULL;
	rs_pin_add(list, "git-ignored", RS_PIN_CONTRACT, RS_NONE, rs_source_position(source, byte).line, true,
		   "git ignores %s: a build makes it, and would undo the change", subject->what);
	list->pins[list->n_pins - 1].file = source->path;
	return NULL;
}

static void read_installed(struct rs_session *session)
{
	if (!session->has_installed)
		session->installed = rs_installed_read(session->arena, session->root, &session->notes,
						       &session->n_installed);
	session->has_installed = true;
}

static bool has_pin(const struct rs_pin *pins, size_t n_pins, const char *code)
{
	for (size_t i = 0; i < n_pins; i++)
		if (strcmp(pins[i].code, code) == 0)
			return true;
	return false;
}

/* A header that the project installs is seen by programs that are not compiled with it. */
static void check_installed(struct rs_session *session, const struct rs_record *record,
			    struct rs_pin_list *list)
{
	const char *realpath = record->source->realpath, *path = rs_path_below(realpath, session->root);
	const struct rs_build_item *item;

	if (path == realpath || !rs_build_is_header(path) ||
	    rs_hazards_is_bundled(rs_arena_printf(session->arena, "/%s", path)) ||
	    has_pin(record->pins, record->n_pins, "public-header"))
		return;
	read_installed(session);
	item = rs_installed_find(session->installed, session->n_installed, session->root, realpath);
	if (!item)
		return;
	rs_pin_add(list, "public-header", RS_PIN_CONTRACT, RS_NONE, item->line, true,
		   "'%s' is part of an interface: the build installs its header, and programs are compiled "
		   "with it "
		   "elsewhere; a new order needs a new soname",
		   record->name);
	list->pins[list->n_pins - 1].file = item->path;
}

static bool is_first_in_file(const struct rs_initializer_list *initializers, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (initializers->items[i].n_values > 0 &&
		    strcmp(initializers->items[i].source->realpath,
			   initializers->items[index].source->realpath) == 0)
			return false;
	return initializers->items[index].n_values > 0;
}

struct rs_error *rs_guard_find(struct rs_session *session, const struct rs_record *record,
			       const struct rs_initializer_list *initializers, struct rs_pin_list *list)
{
	struct subject subject = { record->source->realpath, "the file that defines it" };

	RS_TRY(check_file(session, &subject, record->source, record->span.start, list));
	check_installed(session, record, list);
	for (size_t i = 0; i < initializers->n_items; i++) {
		const struct rs_initializer *initializer = &initializers->items[i];

		if (!is_first_in_file(initializers, i) ||
		    strcmp(initializer->source->realpath, record->source->realpath) == 0)
			continue;
		subject.realpath = initializer->source->realpath;
		subject.what = rs_arena_printf(
			session->arena, "the file with the initialiser at %s:%u", initializer->source->path,
			rs_source_position(initializer->source, initializer->span.start).line);
		RS_TRY(check_file(session, &subject, initializer->source, initializer->span.start, list));
	}
	return NULL;
}

struct rs_error *rs_guard_allowances(struct rs_session *session, const struct rs_record *record,
				     const struct rs_allowance **ret_allowances, size_t *ret_count)
{
	const struct rs_session_options *options = &session->options;
	const struct rs_config *config;
	struct rs_allowance *all;
	size_t count = options->n_allowances;

	RS_TRY(rs_guard_config(session, record->source->realpath, &config));
	for (size_t i = 0; config && i < config->n_rules; i++)
		count += config->rules[i].n_allowances;
	all = rs_arena_array(session->arena, struct rs_allowance, count);
	for (count = 0; count < options->n_allowances; count++)
		all[count] = options->allowances[count];
	for (size_t i = 0; config && i < config->n_rules; i++) {
		const struct rs_config_rule *rule = &config->rules[i];

		for (size_t a = 0; a < rule->n_allowances &&
				   rs_config_matches(session->arena, config, rule, record->source->realpath);
		     a++)
			all[count++] = rule->allowances[a];
	}
	*ret_allowances = all;
	*ret_count = count;
	return NULL;
}
