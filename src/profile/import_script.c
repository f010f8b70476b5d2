/*
 * perf script -F comm,tid,cpu,time,event,addr,data_src,weight,ip,sym,srcline:
 *
 *	worker  812 [003]  1234.567890:  cpu/mem-loads,ldlat=30/P:  ffff8881 68100142 |OP LOAD|LVL L1 hit|…  33
 *40113a get+0x1a (prog) peer.c:31
 *
 * The line of a sample is anchored on the time, behind which stand maybe a period and the event, both with a
 *colon; the kind comes from the bits of data_src, not from the words behind it, which vary. The source line may
 *follow. Of one record Arm's SPE makes a sample for each event that it fits (l1d-access, tlb-access, memory,
 *…): one access, which counts once.
 */
#include <ctype.h>
#include <string.h>

#include "profile/import_internal.h"

/* Bits of data_src, as in the kernel's perf_mem_data_src. */
enum { OP_LOAD = 2, OP_STORE = 4, SNOOP_SHIFT = 19, SNOOP_HITM = 16, LOCK_SHIFT = 24, LOCK_LOCKED = 2 };

struct script {
	struct rs_import *import;
	struct rs_import_row *last; /* the sample that a source line would belong to */
	size_t n_samples, n_other, n_again;
	struct {                     /* the last access that was counted */
		struct rs_word when; /* from COMM to the time */
		uint64_t address, data_src;
		const char *event;
	} counted;
};

/* 1234.567890: */
static bool is_time(struct rs_word word)
{
	return word.length > 3 && word.text[word.length - 1] == ':' &&
	       rs_word_is_number(rs_word_first(word, word.length - 1)) && rs_word_find(word, ".") != SIZE_MAX;
}

static bool is_event(struct rs_word word)
{
	return word.length > 1 && word.text[word.length - 1] == ':';
}

bool rs_sniff_script(const char *text, size_t size)
{
	struct rs_import import = { .text = text, .size = size };
	struct rs_import_lines lines;
	struct rs_word line, word;

	rs_import_lines(&lines, &import);
	while (rs_import_next_line(&lines, &line) && lines.number < 64)
		while (line.text[0] != '#' && rs_word_next(&line, &word))
			if (is_time(word))
				return true;
	return false;
}

static size_t find_time(const struct rs_word *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_time(words[i]))
			return i;
	return SIZE_MAX;
}

/* What the words say behind data_src: skipped up to the weight, the last part of them has no bar. */
static size_t skip_description(const struct rs_word *words, size_t count, size_t at)
{
	size_t last = at;

	for (size_t i = at; i < count; i++)
		if (memchr(words[i].text, '|', words[i].length))
			last = i + 1;
	while (last > at && last < count && !rs_word_is_number(words[last]) && !rs_word_is_hex(words[last]))
		last++;
	return last;
}

/* [weight] ip symbol: the symbol follows the last hexadecimal number of at least five digits. */
static void read_symbol(struct rs_import *import, const struct rs_word *words, size_t count, size_t at,
			struct rs_import_row *row)
{
	while (at < count && !(rs_word_is_hex(words[at]) && words[at].length > 4))
		at++;
	if (at + 1 >= count)
		return;
	struct rs_word symbol = words[at + 1];
	size_t plus = rs_word_find(symbol, "+0x");
	symbol = plus == SIZE_MAX ? symbol : rs_word_first(symbol, plus);
	if (!rs_word_is(symbol, "[unknown]"))
		row->path = rs_word_dup(import->arena, symbol);
}

static bool is_source(struct rs_word text)
{
	size_t colon = text.length;

	while (colon > 0 && isdigit((unsigned char)text.text[colon - 1]))
		colon--;
	return colon >= 2 && colon < text.length && text.text[colon - 1] == ':';
}

static struct rs_error *read_source(const struct rs_import *import, struct rs_word text,
				    struct rs_import_row *row)
{
	size_t colon = text.length;
	uint64_t line = 0;

	while (text.text[colon - 1] != ':')
		colon--;
	RS_TRY(rs_import_whole(import, rs_word_from(text, colon), false, &line));
	if (line > UINT32_MAX)
		return rs_import_expected(import, text, "a source line");
	row->file = rs_word_dup(import->arena, rs_word_first(text, colon - 1));
	row->source_line = (unsigned)line;
	return NULL;
}

static void count_access(struct script *script, uint64_t data_src, const char *event, struct rs_import_row *row)
{
	bool loads = data_src & OP_LOAD, stores = data_src & OP_STORE;
	bool locked = (data_src >> LOCK_SHIFT & 3) == LOCK_LOCKED;

	/* A locked access writes, as which half of it however it was sampled. */
	row->reads = loads && !locked;
	row->writes = stores || (loads && locked);
	if (rs_event_kind(event) != RS_EVENT_ANY)
		rs_import_units(script->import, event, "samples");
}

/* What is printed of the bits must say the same: else this is another column. */
static struct rs_error *check_words(const struct rs_import *import, const struct rs_word *words, size_t count,
				    uint64_t data_src)
{
	if (count < 2 || !rs_word_is(words[0], "|OP"))
		return NULL;
	if ((rs_word_find(words[1], "LOAD") != SIZE_MAX) == ((data_src & OP_LOAD) != 0) &&
	    (rs_word_find(words[1], "STORE") != SIZE_MAX) == ((data_src & OP_STORE) != 0))
		return NULL;
	return rs_import_error(import, words[1], "expected what the bits of data_src say, 0x%llx, found '%.*s'",
			       (unsigned long long)data_src, (int)(words[1].length < 40 ? words[1].length : 40),
			       words[1].text);
}

/* Another event of the access that was counted last? Two accesses have the same event, or another moment. */
static bool is_counted(struct script *script, struct rs_word when, uint64_t data_src, const char *event,
		       uint64_t address)
{
	if (script->counted.event && strcmp(script->counted.event, event) != 0 &&
	    script->counted.address == address && script->counted.data_src == data_src &&
	    script->counted.when.length == when.length &&
	    memcmp(script->counted.when.text, when.text, when.length) == 0)
		return true;
	script->counted.when = when;
	script->counted.address = address;
	script->counted.data_src = data_src;
	script->counted.event = event;
	return false;
}

/* event: addr data_src |…| weight ip symbol */
static struct rs_error *read_sample(struct script *script, const struct rs_word *words, size_t count, size_t at)
{
	struct rs_import *import = script->import;
	struct rs_word end = rs_word_from(words[count - 1], words[count - 1].length);
	struct rs_word time = words[at - 1], when = words[0];
	uint64_t data_src = 0;

	when.length = (size_t)(time.text + time.length - when.text);
	if (at < count && rs_word_is_number(words[at]))
		at++; /* the period */
	if (at >= count || !is_event(words[at]))
		return rs_import_expected(import, at < count ? words[at] : end, "EVENT: behind the time");
	const char *event = rs_word_dup(import->arena, words[at++]);
	if (at + 1 >= count || !rs_word_is_hex(words[at]) || !rs_word_is_hex(words[at + 1]))
		return rs_import_expected(import, at < count ? words[at] : end,
					  "the columns addr and data_src (perf mem record, then perf script -F "
					  "comm,tid,cpu,time,event,addr,data_src,weight,ip,sym,srcline)");
	struct rs_import_row row = { .line = words[0].line, .column = words[0].column, .has_address = true };
	RS_TRY(rs_import_whole(import, words[at], true, &row.address));
	RS_TRY(rs_import_whole(import, words[at + 1], true, &data_src));
	if (at + 2 >= count)
		return rs_import_expected(import, end, "weight, ip and symbol behind data_src");
	RS_TRY(check_words(import, words + at + 2, count - at - 2, data_src));
	script->n_samples++;
	script->last = NULL;
	if (is_counted(script, when, data_src, event, row.address)) {
		script->n_again++;
		return NULL;
	}
	count_access(script, data_src, event, &row);
	if (row.reads + row.writes <= 0) {
		script->n_other++;
		return NULL;
	}
	read_symbol(import, words, count, skip_description(words, count, at + 2), &row);
	script->last = rs_import_add(import, words[0]);
	*script->last = row;
	if (is_source(words[count - 1]) && !is_event(words[count - 1]))
		return read_source(import, words[count - 1], script->last);
	return NULL;
}

static struct rs_error *read_line(struct script *script, struct rs_word line)
{
	struct rs_word text = rs_word_trim(line), *words;
	size_t count = rs_word_split(script->import->arena, text, &words), time;

	if (count == 0 || text.text[0] == '#')
		return NULL;
	time = find_time(words, count);
	if (time != SIZE_MAX)
		return read_sample(script, words, count, time + 1);
	if (count == 1 && is_source(text) && script->n_samples > 0)
		return script->last ? read_source(script->import, text, script->last) : NULL;
	if (script->n_samples > 0 && line.text[0] == ' ' &&
	    (rs_word_is_hex(words[0]) || rs_word_begins(text, "??") ||
	     (count == 1 && rs_word_is_no_source(text))))
		return NULL; /* a frame of a call chain; a source line that is not known */
	return rs_import_expected(script->import, text,
				  "COMM TID [CPU] TIME: EVENT: ADDR DATA_SRC …, or FILE:LINE below it");
}

struct rs_error *rs_import_script(struct rs_import *import)
{
	struct script script = { .import = import };
	struct rs_import_lines lines;
	struct rs_word line = { .line = 1, .column = 1 };

	import->tool = "perf script";
	import->trust = "sampled";
	import->reads_unit = import->writes_unit = "samples";
	rs_import_lines(&lines, import);
	while (rs_import_next_line(&lines, &line))
		RS_TRY(read_line(&script, line));
	if (script.n_samples == 0)
		return rs_import_error(import, line, "expected samples, found none");
	if (script.n_other > 0)
		rs_notes_add(import->notes, RS_NOTE_INFO, import->path, 0, 0,
			     "%zu of %zu samples are neither loads nor stores", script.n_other,
			     script.n_samples);
	if (script.n_again > 0)
		rs_notes_add(import->notes, RS_NOTE_INFO, import->path, 0, 0,
			     "%zu of %zu samples are of an access that another event of the same moment shows: "
			     "it counts once",
			     script.n_again, script.n_samples);
	return NULL;
}
