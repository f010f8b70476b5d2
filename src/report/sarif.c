#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "report/view.h"
#include "report/writers.h"

static const char *level_word(enum rs_finding_level level)
{
	return level == RS_FINDING_ERROR ? "error" : level == RS_FINDING_WARNING ? "warning" : "note";
}

static bool is_first_of_code(const struct rs_result *result, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(result->findings[i].code, result->findings[index].code) == 0)
			return false;
	return true;
}

static void write_text(struct rs_json_writer *writer, const char *key, const char *text)
{
	rs_json_begin_object_compact(writer, key);
	rs_json_write_string(writer, "text", text);
	rs_json_end_object(writer);
}

static void write_driver(struct rs_json_writer *writer, const struct rs_result *result)
{
	rs_json_begin_object(writer, "tool");
	rs_json_begin_object(writer, "driver");
	rs_json_write_string(writer, "name", "restruct");
	rs_json_write_string(writer, "version", RS_VERSION);
	rs_json_begin_array(writer, "rules");
	for (size_t i = 0; i < result->n_findings; i++) {
		if (!is_first_of_code(result, i))
			continue;
		rs_json_begin_object(writer, NULL);
		rs_json_write_string(writer, "id", result->findings[i].code);
		rs_json_end_object(writer);
	}
	rs_json_end_array(writer);
	rs_json_end_object(writer);
	rs_json_end_object(writer);
}

/* A path as a URI: what RFC 3986 does not let stand by itself goes as %XX. */
static void write_uri(struct rs_json_writer *writer, const char *key, const char *path)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder uri = { 0 };

	rs_builder_appends(&uri, path[0] == '/' ? "file://" : "");
	for (; *path; path++) {
		unsigned char byte = (unsigned char)*path;
		bool stands = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
			      (byte >= '0' && byte <= '9') || strchr("-._~/", byte);

		if (stands)
			rs_builder_appendc(&uri, (char)byte);
		else
			rs_builder_printf(&uri, "%%%02X", byte);
	}
	rs_json_write_string(writer, key, uri.data);
}

/* Lines alone: columns are counted in bytes here, and in UTF-16 or code points there. */
static void write_location(struct rs_json_writer *writer, const struct rs_result *result,
			   const struct rs_finding *finding)
{
	const char *path = rs_view_path(result, finding->path);

	rs_json_begin_object(writer, NULL);
	rs_json_begin_object(writer, "physicalLocation");
	rs_json_begin_object_compact(writer, "artifactLocation");
	write_uri(writer, "uri", path);
	if (path[0] != '/')
		rs_json_write_string(writer, "uriBaseId", "%SRCROOT%");
	rs_json_end_object(writer);
	if (finding->line) {
		rs_json_begin_object_compact(writer, "region");
		rs_json_write_uint(writer, "startLine", finding->line);
		rs_json_end_object(writer);
	}
	rs_json_end_object(writer);
	if (finding->record) {
		rs_json_begin_array_compact(writer, "logicalLocations");
		rs_json_begin_object_compact(writer, NULL);
		rs_json_write_string(writer, "name", finding->member ? finding->member : finding->record);
		rs_json_write_string(writer, "kind", finding->member ? "member" : "type");
		rs_json_end_object(writer);
		rs_json_end_array(writer);
	}
	rs_json_end_object(writer);
}

static void write_result(struct rs_json_writer *writer, const struct rs_result *result,
			 const struct rs_finding *finding)
{
	char fingerprint[17];

	snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, finding->fingerprint);
	rs_json_begin_object(writer, NULL);
	rs_json_write_string(writer, "ruleId", finding->code);
	rs_json_write_string(writer, "level", level_word(finding->level));
	write_text(writer, "message", finding->message);
	rs_json_begin_array(writer, "locations");
	if (finding->path)
		write_location(writer, result, finding);
	rs_json_end_array(writer);
	rs_json_begin_object_compact(writer, "partialFingerprints");
	rs_json_write_string(writer, "restruct/v1", fingerprint);
	rs_json_end_object(writer);
	rs_json_end_object(writer);
}

struct rs_error *rs_report_write_sarif(struct rs_builder *out, const struct rs_result *result,
				       const struct rs_report_options *options)
{
	struct rs_json_writer writer;

	(void)options;
	rs_json_writer_init(&writer, out);
	rs_json_begin_object(&writer, NULL);
	rs_json_write_string(&writer, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	rs_json_write_string(&writer, "version", "2.1.0");
	rs_json_begin_array(&writer, "runs");
	rs_json_begin_object(&writer, NULL);
	write_driver(&writer, result);
	rs_json_begin_array(&writer, "results");
	for (size_t i = 0; i < result->n_findings; i++)
		write_result(&writer, result, &result->findings[i]);
	rs_json_end_array(&writer);
	rs_json_end_object(&writer);
	rs_json_end_array(&writer);
	rs_json_end_object(&writer);
	return NULL;
}

/* --- reviewdog --- */

static void write_diagnostic(struct rs_json_writer *writer, const struct rs_result *result,
			     const struct rs_finding *finding)
{
	static const char *const words[] = { "INFO", "WARNING", "ERROR" };

	rs_json_begin_object(writer, NULL);
	rs_json_write_string(writer, "message", finding->message);
	rs_json_begin_object_compact(writer, "location");
	rs_json_write_string(writer, "path", finding->path ? rs_view_path(result, finding->path) : "");
	if (finding->line) {
		rs_json_begin_object_compact(writer, "range");
		rs_json_begin_object_compact(writer, "start");
		rs_json_write_uint(writer, "line", finding->line);
		if (finding->column)
			rs_json_write_uint(writer, "column", finding->column);
		rs_json_end_object(writer);
		rs_json_end_object(writer);
	}
	rs_json_end_object(writer);
	rs_json_write_string(writer, "severity", words[finding->level]);
	rs_json_begin_object_compact(writer, "code");
	rs_json_write_string(writer, "value", finding->code);
	rs_json_end_object(writer);
	rs_json_end_object(writer);
}

struct rs_error *rs_report_write_rdjson(struct rs_builder *out, const struct rs_result *result,
					const struct rs_report_options *options)
{
	struct rs_json_writer writer;

	(void)options;
	rs_json_writer_init(&writer, out);
	rs_json_begin_object(&writer, NULL);
	rs_json_begin_object_compact(&writer, "source");
	rs_json_write_string(&writer, "name", "restruct");
	rs_json_end_object(&writer);
	rs_json_begin_array(&writer, "diagnostics");
	for (size_t i = 0; i < result->n_findings; i++)
		write_diagnostic(&writer, result, &result->findings[i]);
	rs_json_end_array(&writer);
	rs_json_end_object(&writer);
	return NULL;
}
