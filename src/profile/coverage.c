#include "profile/coverage.h"

#include <string.h>

#include "base/file.h"
#include "profile/coverage_internal.h"

struct rs_coverage_file *rs_coverage_file_of(struct rs_coverage *coverage, const char *path)
{
	struct rs_coverage_file *file;

	HASH_FIND_STR(coverage->files, path, file);
	if (file)
		return file;
	file = rs_arena_new(coverage->arena, struct rs_coverage_file);
	file->path = rs_arena_strdup(coverage->arena, path);
	HASH_ADD_KEYPTR(hh, coverage->files, file->path, strlen(file->path), file);
	return file;
}

const char *rs_coverage_text(struct rs_coverage *coverage, const char *path, size_t *ret_size)
{
	struct rs_coverage_file *file = rs_coverage_file_of(coverage, path);

	if (!file->text) {
		char *text = NULL;
		struct rs_error *error = rs_file_read(coverage->arena, path, &text, &file->size);

		file->text = error ? "" : text;
		file->size = error ? 0 : file->size;
		rs_error_destroy(error);
	}
	*ret_size = file->size;
	return file->text;
}

static struct rs_error *set_kind(struct rs_coverage *coverage, const char *path, enum rs_coverage_kind kind)
{
	if (coverage->kind != RS_COVERAGE_NONE && coverage->kind != kind)
		return rs_error_create(
			RS_ERROR_USAGE, path, 0, 0,
			"exports of llvm-cov and of gcov count differently: collect from one kind, and "
			"add profiles with `profile merge`");
	coverage->kind = kind;
	return NULL;
}

static struct rs_error *read_value(struct rs_coverage *coverage, const char *path, const struct rs_json *root)
{
	const struct rs_json *type = rs_json_find(root, "type");

	if (type && type->kind == RS_JSON_STRING && strcmp(type->string, "llvm.coverage.json.export") == 0) {
		RS_TRY(set_kind(coverage, path, RS_COVERAGE_LLVM));
		return rs_coverage_read_llvm(coverage, path, root);
	}
	if (rs_json_find(root, "gcc_version") && rs_json_find(root, "files")) {
		RS_TRY(set_kind(coverage, path, RS_COVERAGE_GCOV));
		return rs_coverage_read_gcov(coverage, path, root);
	}
	return rs_error_create(RS_ERROR_PARSE, path, root->line, root->column,
			       "this is neither an export of llvm-cov (an object whose \"type\" is "
			       "\"llvm.coverage.json.export\") nor of gcov --json-format (an object with "
			       "\"gcc_version\" and \"files\")");
}

/* Only gcov writes several values, one a line. */
struct rs_error *rs_coverage_read(struct rs_coverage *coverage, const char *path, const char *text, size_t size)
{
	const char *end = text + size;
	size_t n_values = 0;

	while (text < end) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		const char *next = line_end ? line_end + 1 : end;
		const struct rs_json *root;

		/* Printed over several lines it is one value. */
		if (n_values == 0 && line_end && text < line_end && line_end[-1] != '}')
			next = end;
		if (strspn(text, " \t\r\n") < (size_t)(next - text)) {
			RS_TRY(rs_json_parse(coverage->arena, path, text, (size_t)(next - text), &root));
			if (root->kind != RS_JSON_OBJECT)
				return rs_json_error(path, root, false, "expected an object, not %s",
						     rs_json_kind_name(root->kind));
			RS_TRY(read_value(coverage, path, root));
			n_values++;
		}
		text = next;
	}
	if (n_values == 0)
		return rs_error_create(RS_ERROR_PARSE, path, 0, 0,
				       "it is empty: an export of llvm-cov or gcov was expected");
	return NULL;
}

bool rs_coverage_count(struct rs_coverage *coverage, const struct rs_code_function *function,
		       const struct rs_coverage_spot *spot, double *ret_count)
{
	if (coverage->kind == RS_COVERAGE_LLVM)
		return rs_coverage_count_llvm(coverage, function, spot, ret_count);
	return coverage->kind == RS_COVERAGE_GCOV &&
	       rs_coverage_count_gcov(coverage, function, &spot->place, ret_count);
}

bool rs_coverage_entries(struct rs_coverage *coverage, const struct rs_code_function *function,
			 double *ret_count)
{
	if (coverage->kind == RS_COVERAGE_LLVM)
		return rs_coverage_entries_llvm(coverage, function, ret_count);
	return coverage->kind == RS_COVERAGE_GCOV && rs_coverage_entries_gcov(coverage, function, ret_count);
}

void rs_coverage_deinit(struct rs_coverage *coverage)
{
	rs_coverage_deinit_llvm(coverage);
	HASH_CLEAR(hh, coverage->files);
}
