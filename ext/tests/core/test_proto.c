/* Each form of request, each reply of memcached 1.6.18 (as it gave them), and everything that a reply must not be. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../../core/client/lrd_proto.h"

#define SLICE(text) { text, sizeof(text) - 1 }
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- requests ---- */

static void check_line(const lrd_request *request, uint32_t opaque, const char *expected)
{
	char line[LRD_PROTO_LINE_MAX];
	size_t size = lrd_proto_line(line, request, opaque);
	assert_in_range(size, 1, sizeof line - 1);
	line[size] = 0;
	assert_string_equal(line, expected);
}

static void gets_ask_for_what_they_need(void **state)
{
	(void) state;
	lrd_request get = { .command = LRD_MG, .key = SLICE("key") };
	check_line(&get, 0, "mg key O00000000\r\n");
	get.with = LRD_ASK_VALUE | LRD_ASK_FLAGS;
	check_line(&get, UINT32_MAX, "mg key v f Offffffff\r\n");
	get.with |= LRD_ASK_CAS | LRD_ASK_TTL | LRD_ASK_SIZE;
	check_line(&get, 0x12ab, "mg key v f c t s O000012ab\r\n");
	get.is_base64 = true;
	get.with = LRD_ASK_VALUE;
	check_line(&get, 1, "mg key b v O00000001\r\n");
	check_line(&(lrd_request) { .command = LRD_MG, .key = SLICE(LRD_PROTO_FENCE) }, 9, "mg larder:fence O00000009\r\n");
}

static void gets_carry_their_lease(void **state)
{
	(void) state;
	lrd_request get = { .command = LRD_MG, .key = SLICE("k"), .ttl = 60, .vivify = 30 };
	get.with = LRD_ASK_VALUE | LRD_WITH_VIVIFY;
	check_line(&get, 1, "mg k v N30 O00000001\r\n");
	get.with = LRD_ASK_VALUE | LRD_WITH_RECACHE;
	check_line(&get, 1, "mg k v R30 O00000001\r\n");
	get.with = LRD_WITH_CAS;
	get.cas = UINT64_MAX;
	check_line(&get, 1, "mg k C18446744073709551615 O00000001\r\n");
}

static void the_old_ttl_is_asked_for_before_the_new_is_set(void **state)
{
	(void) state;
	lrd_request get = { .command = LRD_MG, .key = SLICE("k"), .ttl = -1, .with = LRD_ASK_TTL | LRD_WITH_TTL };
	check_line(&get, 1, "mg k t T-1 O00000001\r\n");
	get.ttl = 0;
	check_line(&get, 1, "mg k t T0 O00000001\r\n");
}

static void sets_tell_the_size_of_their_value(void **state)
{
	(void) state;
	lrd_request set = { .command = LRD_MS, .key = SLICE("k"), .value = SLICE("") };
	check_line(&set, 1, "ms k 0 O00000001\r\n");
	set.value.size = 1048576;
	set.flags = UINT32_MAX;
	set.mode = 'E';
	set.ttl = 2592000;
	set.with = LRD_WITH_TTL;
	check_line(&set, 1, "ms k 1048576 F4294967295 ME T2592000 O00000001\r\n");
	set.is_base64 = true;
	set.mode = 'S';
	set.cas = 7;
	set.with = LRD_ASK_CAS | LRD_WITH_CAS | LRD_WITH_STALE;
	check_line(&set, 1, "ms k 1048576 b F4294967295 MS c C7 I O00000001\r\n");
}

static void deletes_and_counts(void **state)
{
	(void) state;
	check_line(&(lrd_request) { .command = LRD_MD, .key = SLICE("k") }, 1, "md k O00000001\r\n");
	lrd_request stale = {
		.command = LRD_MD, .key = SLICE("k"), .cas = 10, .ttl = 30, .with = LRD_WITH_CAS | LRD_WITH_STALE | LRD_WITH_TTL
	};
	check_line(&stale, 1, "md k C10 I T30 O00000001\r\n");
	lrd_request count = { .command = LRD_MA, .key = SLICE("k"), .delta = 1, .mode = '+', .with = LRD_ASK_VALUE };
	check_line(&count, 1, "ma k D1 M+ v O00000001\r\n");
	count = (lrd_request) { .command = LRD_MA, .key = SLICE("k"), .delta = UINT64_MAX, .mode = '-', .vivify = 9,
		.initial = UINT64_MAX, .with = LRD_ASK_VALUE | LRD_ASK_TTL | LRD_WITH_VIVIFY | LRD_WITH_TTL };
	check_line(&count, 1, "ma k D18446744073709551615 M- v t N9 J18446744073709551615 T0 O00000001\r\n");
}

static void the_longest_line_has_room(void **state)
{
	(void) state;
	char key[LRD_WIRE_KEY_MAX], line[LRD_PROTO_LINE_MAX + 1];
	memset(key, 'k', sizeof key);
	memset(line, '#', sizeof line);
	lrd_request request = { .key = { key, sizeof key },
		.value = { NULL, SIZE_MAX },
		.cas = UINT64_MAX,
		.delta = UINT64_MAX,
		.initial = UINT64_MAX,
		.ttl = INT64_MIN,
		.vivify = INT64_MIN,
		.flags = UINT32_MAX,
		.with = UINT16_MAX,
		.mode = 'S',
		.is_base64 = true };
	for (unsigned command = LRD_MG; command <= LRD_MA; command++) {
		request.command = (uint8_t) command;
		assert_in_range(lrd_proto_line(line, &request, UINT32_MAX), 1, LRD_PROTO_LINE_MAX);
		assert_int_equal(line[LRD_PROTO_LINE_MAX], '#');
	}
	assert_non_null(memmem(line, sizeof line, " T-9223372036854775808 ", 23));
}

/* ---- replies ---- */

static lrd_parse parse(bool classic, const char *bytes, size_t size, lrd_reply *reply, lrd_slice *key, size_t *used)
{
	return classic ? lrd_proto_classic(bytes, size, reply, key, used) : lrd_proto_reply(bytes, size, reply, used);
}

/* From a block of just that size, so that a byte read behind it is seen. */
static lrd_parse parse_exact(bool classic, const char *text, size_t size, lrd_reply *reply, size_t *used)
{
	char *copy = malloc(size + (size == 0));
	lrd_slice key = { NULL, 0 };
	memcpy(copy, text, size);
	lrd_parse result = parse(classic, copy, size, reply, &key, used);
	free(copy);
	return result;
}

static void assert_same(const lrd_reply *a, const lrd_reply *b)
{
	assert_int_equal(a->code, b->code);
	assert_int_equal(a->cas, b->cas);
	assert_int_equal(a->ttl, b->ttl);
	assert_int_equal(a->size, b->size);
	assert_int_equal(a->flags, b->flags);
	assert_int_equal(a->opaque, b->opaque);
	assert_int_equal(a->has_opaque, b->has_opaque);
	assert_int_equal(a->has_value, b->has_value);
	assert_int_equal(a->won, b->won);
	assert_int_equal(a->stale, b->stale);
	assert_int_equal(a->waiting, b->waiting);
}

typedef struct sample {
	const char *line;
	lrd_reply reply;
} sample;

#define OURS .has_opaque = true, .opaque = 0xab12cd0f
#define O "Oab12cd0f"

static const sample meta[] = {
	{ "EN " O "\r\n", { .code = LRD_CODE_MISS, OURS } },
	{ "EN\r\n", { .code = LRD_CODE_MISS } },
	{ "HD\r\n", { .code = LRD_CODE_OK } },
	{ "HD " O "\r\n", { .code = LRD_CODE_OK, OURS } },
	{ "HD O00000000\r\n", { .code = LRD_CODE_OK, .has_opaque = true } },
	{ "HD c1 " O "\r\n", { .code = LRD_CODE_OK, OURS, .cas = 1 } },
	{ "HD t59 " O "\r\n", { .code = LRD_CODE_OK, OURS, .ttl = 59 } },
	{ "HD t-1 s70 " O "\r\n", { .code = LRD_CODE_OK, OURS, .ttl = -1, .size = 70 } },
	{ "HD " O " Z X\r\n", { .code = LRD_CODE_OK, OURS, .waiting = true, .stale = true } },
	{ "VA 3 f5 c1 t-1 s3 " O "\r\n",
		{ .code = LRD_CODE_OK, OURS, .has_value = true, .size = 3, .flags = 5, .cas = 1, .ttl = -1 } },
	{ "VA 0 c10 f0 t30 " O " W\r\n",
		{ .code = LRD_CODE_OK, OURS, .has_value = true, .cas = 10, .ttl = 30, .won = true } },
	{ "VA 3 f1 c12 t29 " O " X W\r\n",
		{ .code = LRD_CODE_OK,
			OURS,
			.has_value = true,
			.size = 3,
			.flags = 1,
			.cas = 12,
			.ttl = 29,
			.won = true,
			.stale = true } },
	{ "VA 3 f1 " O " Z X\r\n",
		{ .code = LRD_CODE_OK, OURS, .has_value = true, .size = 3, .flags = 1, .stale = true, .waiting = true } },
	{ "VA 2 t-1 c18446744073709551615 " O "\r\n",
		{ .code = LRD_CODE_OK, OURS, .has_value = true, .size = 2, .ttl = -1, .cas = UINT64_MAX } },
	{ "VA 1073741824 f4294967295 O12345678\r\n",
		{ .code = LRD_CODE_OK,
			.has_opaque = true,
			.opaque = 0x12345678,
			.has_value = true,
			.size = 1u << 30,
			.flags = UINT32_MAX } },
	{ "NF " O "\r\n", { .code = LRD_CODE_NOT_FOUND, OURS } },
	{ "NF c0 " O "\r\n", { .code = LRD_CODE_NOT_FOUND, OURS } },
	{ "NS c0 " O "\r\n", { .code = LRD_CODE_NOT_STORED, OURS } },
	{ "EX c0 " O "\r\n", { .code = LRD_CODE_EXISTS, OURS } },
	{ "OK\r\n", { .code = LRD_CODE_OK } },
};

static const sample errors[] = {
	{ "ERROR\r\n", { .code = LRD_CODE_UNKNOWN_COMMAND } },
	{ "ERROR Too many open connections\r\n", { .code = LRD_CODE_SERVER_ERROR } },
	{ "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n", { .code = LRD_CODE_NOT_A_NUMBER } },
	{ "CLIENT_ERROR bad command line format\r\n", { .code = LRD_CODE_CLIENT_ERROR } },
	{ "CLIENT_ERROR bad data chunk\r\n", { .code = LRD_CODE_CLIENT_ERROR } },
	{ "CLIENT_ERROR invalid or duplicate flag\r\n", { .code = LRD_CODE_CLIENT_ERROR } },
	{ "CLIENT_ERROR opaque token too long\r\n", { .code = LRD_CODE_CLIENT_ERROR } },
	{ "CLIENT_ERROR unauthenticated\r\n", { .code = LRD_CODE_DENIED } },
	{ "CLIENT_ERROR authentication failure\r\n", { .code = LRD_CODE_DENIED } },
	{ "CLIENT_ERROR bad authentication token format\r\n", { .code = LRD_CODE_DENIED } },
	{ "SERVER_ERROR object too large for cache\r\n", { .code = LRD_CODE_TOO_LARGE } },
	{ "SERVER_ERROR out of memory storing object\r\n", { .code = LRD_CODE_NO_MEMORY } },
	{ "SERVER_ERROR Out of memory allocating new item\r\n", { .code = LRD_CODE_NO_MEMORY } },
	{ "SERVER_ERROR refcount overflow during fetch\r\n", { .code = LRD_CODE_SERVER_ERROR } },
	{ "SERVER_ERROR\r\n", { .code = LRD_CODE_SERVER_ERROR } },
	{ "BUSY currently processing crawler request\r\n", { .code = LRD_CODE_BUSY } },
};

static const sample classic[] = {
	{ "END\r\n", { .code = LRD_CODE_MISS } },
	{ "VALUE key 0 0\r\n", { .code = LRD_CODE_OK, .has_value = true } },
	{ "VALUE key 4294967295 1048576\r\n",
		{ .code = LRD_CODE_OK, .has_value = true, .flags = UINT32_MAX, .size = 1048576 } },
	{ "VALUE \x80\xff! 5 3 18446744073709551615\r\n",
		{ .code = LRD_CODE_OK, .has_value = true, .flags = 5, .size = 3, .cas = UINT64_MAX } },
};

/* Whole, with more behind it, and cut at each byte. */
static void check_sample(bool is_classic, const sample *sample)
{
	char longer[256], mark;
	lrd_reply reply;
	size_t used, size = strlen(sample->line);
	memset(&reply, 0x55, sizeof reply);
	reply.value = &mark;
	assert_int_equal(parse_exact(is_classic, sample->line, size, &reply, &used), LRD_PARSE_DONE);
	assert_int_equal(used, size);
	assert_same(&reply, &sample->reply);
	assert_ptr_equal(reply.value, &mark);

	memcpy(longer, sample->line, size);
	memcpy(longer + size, "EN " O "\r\n", 14);
	assert_int_equal(parse_exact(is_classic, longer, size + 14, &reply, &used), LRD_PARSE_DONE);
	assert_int_equal(used, size);
	assert_same(&reply, &sample->reply);

	while (size-- > 0) {
		assert_int_equal(parse_exact(is_classic, sample->line, size, &reply, &used), LRD_PARSE_MORE);
		assert_int_equal(used, 0);
	}
}

static void replies_are_read_and_wait_for_their_last_byte(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(meta); i++) {
		check_sample(false, &meta[i]);
	}
	for (size_t i = 0; i < COUNT(errors); i++) {
		check_sample(false, &errors[i]);
		check_sample(true, &errors[i]);
	}
	for (size_t i = 0; i < COUNT(classic); i++) {
		check_sample(true, &classic[i]);
	}
}

static void a_classic_reply_names_its_key(void **state)
{
	(void) state;
	const char line[] = "VALUE a:key!\xff 0 3\r\n";
	lrd_reply reply;
	lrd_slice key;
	size_t used;
	assert_int_equal(lrd_proto_classic(line, sizeof line - 1, &reply, &key, &used), LRD_PARSE_DONE);
	assert_ptr_equal(key.bytes, line + 6);
	assert_int_equal(key.size, 7);
}

static void what_is_no_reply_is_refused(void **state)
{
	(void) state;
	static const lrd_slice lines[] = {
		SLICE("\r\n"),
		SLICE("\n"),
		SLICE(" HD\r\n"),
		SLICE("hd\r\n"),
		SLICE("HX\r\n"),
		SLICE("HTTP/1.1 400 Bad Request\r\n"),
		SLICE("MN\r\n"),
		SLICE("ME key exp=-1\r\n"),
		SLICE("STORED\r\n"),
		SLICE("VERSION 1.6.18\r\n"),
		SLICE("OK \r\n"),
		SLICE("OK " O "\r\n"),
		SLICE("\0"),
		SLICE("HD\n"),
		SLICE("HD \r\n"),
		SLICE("HD  " O "\r\n"),
		SLICE("HD " O " \r\n"),
		SLICE("HD\r\r\n"),
		SLICE("HD " O "\n"),
		SLICE("HD " O "\r\0"),
		SLICE("VA\r\n"),
		SLICE("VA \r\n"),
		SLICE("VA f5 " O "\r\n"),
		SLICE("VA " O "\r\n"),
		SLICE("VA -1 " O "\r\n"),
		SLICE("VA +1 " O "\r\n"),
		SLICE("VA 03 " O "\r\n"),
		SLICE("VA 0x3 " O "\r\n"),
		SLICE("VA 3\0 " O "\r\n"),
		SLICE("VA  3 " O "\r\n"),
		SLICE("VA 3\t" O "\r\n"),
		SLICE("VA 1073741825 " O "\r\n"),
		SLICE("VA 4294967299 " O "\r\n"),
		SLICE("VA 9223372036854775808 " O "\r\n"),
		SLICE("VA 18446744073709551619 " O "\r\n"),
		SLICE("VA 99999999999999999999999999 " O "\r\n"),
		SLICE("VA 3 s4 " O "\r\n"),
		SLICE("HD f4294967296 " O "\r\n"),
		SLICE("HD f-1 " O "\r\n"),
		SLICE("HD f " O "\r\n"),
		SLICE("HD f01 " O "\r\n"),
		SLICE("HD c18446744073709551616 " O "\r\n"),
		SLICE("HD c99999999999999999999 " O "\r\n"),
		SLICE("HD c-1 " O "\r\n"),
		SLICE("HD t-2 " O "\r\n"),
		SLICE("HD t- " O "\r\n"),
		SLICE("HD t-10 " O "\r\n"),
		SLICE("HD t9223372036854775808 " O "\r\n"),
		SLICE("HD s1073741825 " O "\r\n"),
		SLICE("HD O\r\n"),
		SLICE("HD Oab12cd0\r\n"),
		SLICE("HD Oab12cd0f0\r\n"),
		SLICE("HD OAB12CD0F\r\n"),
		SLICE("HD Oab12cd0g\r\n"),
		SLICE("HD O-b12cd0f\r\n"),
		SLICE("HD o12345678\r\n"),
		SLICE("HD " O " " O "\r\n"),
		SLICE("HD f1 f1 " O "\r\n"),
		SLICE("HD W W " O "\r\n"),
		SLICE("HD k " O "\r\n"),
		SLICE("HD kfoo " O "\r\n"),
		SLICE("HD b " O "\r\n"),
		SLICE("HD h0 " O "\r\n"),
		SLICE("HD l0 " O "\r\n"),
		SLICE("HD 5 " O "\r\n"),
		SLICE("HD W1 " O "\r\n"),
		SLICE("HD " O " W Z\r\n"),
		SLICE("EN " O " W\r\n"),
		SLICE("NF " O " X\r\n"),
		SLICE("EN1 " O "\r\n"),
		SLICE("END\r\n"),
		SLICE("EN" O "\r\n"),
		SLICE("ERRORS\r\n"),
		SLICE("ERROR\n"),
		SLICE("ERROR\r \n"),
		SLICE("SERVER ERROR\r\n"),
		SLICE("SERVER_ERROR out\0of memory\r\n"),
		SLICE("SERVER_ERROR out of memory\n"),
		SLICE("CLIENT_ERROR\tx\r\n"),
		SLICE("BUSYBODY\r\n"),
		SLICE("SERVER_ERROR \x7f\r\n"),
	};
	for (size_t i = 0; i < COUNT(lines); i++) {
		lrd_reply reply;
		size_t used = 1;
		if (parse_exact(false, lines[i].bytes, lines[i].size, &reply, &used) != LRD_PARSE_BAD || used != 0) {
			fail_msg("not refused: %s", lines[i].bytes);
		}
	}
}

static void what_is_no_classic_reply_is_refused(void **state)
{
	(void) state;
	static const lrd_slice lines[] = {
		SLICE("\r\n"),
		SLICE("END \r\n"),
		SLICE("END\n"),
		SLICE("EN\r\n"),
		SLICE("ENDS"),
		SLICE("HD\r\n"),
		SLICE("VA 3\r\n"),
		SLICE("VALUE\r\n"),
		SLICE("VALUE \r\n"),
		SLICE("VALUE  0 3\r\n"),
		SLICE("VALUE key\r\n"),
		SLICE("VALUE key 0\r\n"),
		SLICE("VALUE key 0 \r\n"),
		SLICE("VALUE key 0 3 \r\n"),
		SLICE("VALUE key 0 3 4 5\r\n"),
		SLICE("VALUE key 0 3\n"),
		SLICE("VALUE key 0 -3\r\n"),
		SLICE("VALUE key -1 3\r\n"),
		SLICE("VALUE key 0 1073741825\r\n"),
		SLICE("VALUE key 4294967296 3\r\n"),
		SLICE("VALUE key 0 03\r\n"),
		SLICE("VALUE k\0y 0 3\r\n"),
		SLICE("VALUE k\x7fy 0 3\r\n"),
		SLICE("VALUE k\ty 0 3\r\n"),
		SLICE("VALUE key 0 3 18446744073709551616\r\n"),
		SLICE("VALUE key  0 3\r\n"),
		SLICE("OK\r\n"),
		SLICE("value key 0 3\r\n"),
	};
	for (size_t i = 0; i < COUNT(lines); i++) {
		lrd_reply reply;
		size_t used = 1;
		if (parse_exact(true, lines[i].bytes, lines[i].size, &reply, &used) != LRD_PARSE_BAD || used != 0) {
			fail_msg("not refused: %s", lines[i].bytes);
		}
	}
}

static void a_line_without_end_is_refused_in_the_end(void **state)
{
	(void) state;
	char line[2 * LRD_PROTO_REPLY_MAX] = "SERVER_ERROR ";
	lrd_reply reply;
	lrd_slice key;
	size_t used;
	memset(line + 13, 'x', sizeof line - 13);
	assert_int_equal(lrd_proto_reply(line, LRD_PROTO_REPLY_MAX - 1, &reply, &used), LRD_PARSE_MORE);
	assert_int_equal(lrd_proto_reply(line, LRD_PROTO_REPLY_MAX, &reply, &used), LRD_PARSE_BAD);
	memcpy(line + LRD_PROTO_REPLY_MAX - 2, "\r\n", 2);
	assert_int_equal(lrd_proto_reply(line, LRD_PROTO_REPLY_MAX, &reply, &used), LRD_PARSE_DONE);
	memset(line, 'k', sizeof line);
	memcpy(line, "VALUE ", 6);
	assert_int_equal(lrd_proto_classic(line, 6 + LRD_WIRE_KEY_MAX, &reply, &key, &used), LRD_PARSE_MORE);
	assert_int_equal(lrd_proto_classic(line, 6 + LRD_WIRE_KEY_MAX + 1, &reply, &key, &used), LRD_PARSE_BAD);
}

/* ---- damage ---- */

static bool both_in(const char *set, char a, char b)
{
	return a != 0 && b != 0 && strchr(set, a) != NULL && strchr(set, b) != NULL;
}

/*
 * The changes of one byte that leave a line of the protocol: those of a number, a key or an error's text, and of one
 * letter to another. What a command cannot answer, and a changed opaque, is the loop's and the verbs' to see.
 */
static bool can_pass(const char *line, size_t at, char byte)
{
	const char *space = memchr(line, ' ', strlen(line));
	if (strchr("SCB", line[0]) != NULL || strncmp(line, "ERR", 3) == 0 || strncmp(line, "VALUE", 5) == 0) {
		return space != NULL && at >= (size_t) (space - line);
	}
	if (at < 2) {
		return at == 1 && (both_in("NX", line[at], byte) || both_in("FS", line[at], byte));
	}
	return both_in("0123456789abcdef", line[at], byte) || both_in("-0123456789", line[at], byte)
		|| both_in("WXZ", line[at], byte) || both_in("fctsO", line[at], byte);
}

static void check_damage(bool is_classic, const sample *sample)
{
	char line[256];
	size_t size = strlen(sample->line), used;
	for (size_t at = 0; at < size; at++) {
		for (unsigned byte = 0; byte < 256; byte++) {
			lrd_reply reply;
			memcpy(line, sample->line, size + 1);
			line[at] = (char) byte;
			if (line[at] == sample->line[at] || parse_exact(is_classic, line, size, &reply, &used) != LRD_PARSE_DONE) {
				continue;
			}
			if (used != size || !can_pass(sample->line, at, (char) byte)) {
				fail_msg("taken for a reply: \"%s\" in place of \"%s\"", line, sample->line);
			}
			if (sample->reply.has_opaque && sample->line[at] == 'O') {
				assert_false(reply.has_opaque);
			}
		}
	}
}

static void a_damaged_byte_is_seen(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(meta); i++) {
		check_damage(false, &meta[i]);
	}
	for (size_t i = 0; i < COUNT(errors); i++) {
		check_damage(false, &errors[i]);
	}
	for (size_t i = 0; i < COUNT(classic); i++) {
		check_damage(true, &classic[i]);
	}
}

/* Only what the command can answer, and only with what was asked for. */
static void a_reply_fits_its_request_or_not(void **state)
{
	static const struct {
		const char *line;
		uint8_t command;
		uint16_t with;
		bool fits;
	} samples[] = {
		{ "VA 2 f0\r\n", LRD_MG, LRD_ASK_VALUE | LRD_ASK_FLAGS, true },
		{ "VA 2 c0\r\n", LRD_MG, LRD_ASK_VALUE | LRD_ASK_FLAGS, false },
		{ "VA 2\r\n", LRD_MG, LRD_ASK_VALUE | LRD_ASK_FLAGS, false },
		{ "VA 2 f0 c1\r\n", LRD_MG, LRD_ASK_VALUE | LRD_ASK_FLAGS, false },
		{ "HD f0\r\n", LRD_MG, LRD_ASK_VALUE | LRD_ASK_FLAGS, false },
		{ "HD t5 s2\r\n", LRD_MG, LRD_ASK_TTL | LRD_ASK_SIZE, true },
		{ "HD\r\n", LRD_MG, 0, true },
		{ "EN\r\n", LRD_MG, LRD_ASK_VALUE, true },
		{ "EX\r\n", LRD_MG, LRD_ASK_VALUE, false },
		{ "NF\r\n", LRD_MG, 0, false },
		{ "EN\r\n", LRD_MS, 0, false },
		{ "NS\r\n", LRD_MS, 0, true },
		{ "NS c0\r\n", LRD_MS, LRD_ASK_CAS, true },
		{ "EX\r\n", LRD_MS, LRD_WITH_CAS, true },
		{ "HD c9\r\n", LRD_MS, LRD_ASK_CAS, true },
		{ "HD\r\n", LRD_MS, LRD_ASK_CAS, false },
		{ "NF\r\n", LRD_MD, 0, true },
		{ "NS\r\n", LRD_MD, 0, false },
		{ "VA 1 t-1\r\n", LRD_MA, LRD_ASK_VALUE | LRD_ASK_TTL, true },
		{ "NF\r\n", LRD_MA, LRD_ASK_VALUE, true },
		{ "SERVER_ERROR out of memory\r\n", LRD_MG, LRD_ASK_VALUE, true },
	};
	(void) state;
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		const lrd_request request = { .command = samples[i].command, .with = samples[i].with };
		lrd_reply reply;
		size_t used;
		assert_int_equal(lrd_proto_reply(samples[i].line, strlen(samples[i].line), &reply, &used), LRD_PARSE_DONE);
		if (lrd_proto_fits(&request, &reply) != samples[i].fits) {
			fail_msg("%s to command %d with %x", samples[i].line, samples[i].command, samples[i].with);
		}
	}
}

static void an_opaque_comes_back_as_it_was_sent(void **state)
{
	(void) state;
	uint32_t opaque = 1;
	for (unsigned i = 0; i < 100000; i++) {
		char line[LRD_PROTO_LINE_MAX], answer[LRD_PROTO_LINE_MAX] = "HD";
		size_t used, size = lrd_proto_line(line, &(lrd_request) { .command = LRD_MG, .key = SLICE("k") }, opaque);
		lrd_reply reply;
		memcpy(answer + 2, line + 4, size - 4);
		assert_int_equal(lrd_proto_reply(answer, size - 2, &reply, &used), LRD_PARSE_DONE);
		assert_true(reply.has_opaque);
		assert_int_equal(reply.opaque, opaque);
		opaque = opaque * 1664525u + 1013904223u;
	}
}

/* ---- keys ---- */

static bool is_sent(const char *key, size_t size, lrd_slice *wire, bool *is_base64)
{
	static char at[LRD_WIRE_KEY_MAX + 1];
	at[LRD_WIRE_KEY_MAX] = '#';
	bool sent = lrd_proto_key((lrd_slice) { key, size }, at, wire, is_base64);
	assert_int_equal(at[LRD_WIRE_KEY_MAX], '#');
	return sent;
}

static void a_key_is_sent_as_it_is_if_it_can_be(void **state)
{
	(void) state;
	char key[300];
	lrd_slice wire;
	bool is_base64;
	memset(key, 'k', sizeof key);
	assert_false(is_sent(key, 0, &wire, &is_base64));
	for (size_t size = 1; size <= LRD_WIRE_KEY_MAX; size++) {
		assert_true(is_sent(key, size, &wire, &is_base64));
		assert_false(is_base64);
		assert_ptr_equal(wire.bytes, key);
		assert_int_equal(wire.size, size);
	}
	assert_false(is_sent(key, LRD_WIRE_KEY_MAX + 1, &wire, &is_base64));
}

static void a_key_with_a_control_byte_is_sent_in_base64(void **state)
{
	(void) state;
	char key[40];
	lrd_slice wire;
	bool is_base64;
	for (size_t size = 1; size <= sizeof key; size++) {
		for (size_t at = 0; at < size; at++) {
			for (unsigned byte = 0; byte < 256; byte++) {
				memset(key, at & 1 ? 0x21 : 0xff, sizeof key);
				key[at] = (char) byte;
				assert_true(is_sent(key, size, &wire, &is_base64));
				assert_int_equal(is_base64, byte <= 0x20 || byte == 0x7f);
			}
		}
	}
}

static void base64_makes_a_key_longer(void **state)
{
	(void) state;
	char key[LRD_WIRE_KEY_MAX] = { 0 };
	lrd_slice wire;
	bool is_base64;
	assert_true(is_sent(key, 186, &wire, &is_base64));
	assert_int_equal(wire.size, 248);
	assert_false(is_sent(key, 187, &wire, &is_base64));
	assert_false(is_sent(key, sizeof key, &wire, &is_base64));
}

static void base64_is_the_standards(void **state)
{
	(void) state;
	static const char *const vectors[][2] = { { "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" },
		{ "foob", "Zm9vYg==" }, { "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" }, { "\xfb\xff\xfe", "+//+" },
		{ "\x14\xfb\x9c\x03\xd9\x7e", "FPucA9l+" } };
	for (size_t i = 0; i < COUNT(vectors); i++) {
		char at[16] = "";
		assert_int_equal(lrd_base64(at, vectors[i][0], strlen(vectors[i][0])), strlen(vectors[i][1]));
		assert_string_equal(at, vectors[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gets_ask_for_what_they_need),
		cmocka_unit_test(gets_carry_their_lease),
		cmocka_unit_test(the_old_ttl_is_asked_for_before_the_new_is_set),
		cmocka_unit_test(sets_tell_the_size_of_their_value),
		cmocka_unit_test(deletes_and_counts),
		cmocka_unit_test(the_longest_line_has_room),
		cmocka_unit_test(replies_are_read_and_wait_for_their_last_byte),
		cmocka_unit_test(a_classic_reply_names_its_key),
		cmocka_unit_test(what_is_no_reply_is_refused),
		cmocka_unit_test(what_is_no_classic_reply_is_refused),
		cmocka_unit_test(a_line_without_end_is_refused_in_the_end),
		cmocka_unit_test(a_damaged_byte_is_seen),
		cmocka_unit_test(a_reply_fits_its_request_or_not),
		cmocka_unit_test(an_opaque_comes_back_as_it_was_sent),
		cmocka_unit_test(a_key_is_sent_as_it_is_if_it_can_be),
		cmocka_unit_test(a_key_with_a_control_byte_is_sent_in_base64),
		cmocka_unit_test(base64_makes_a_key_longer),
		cmocka_unit_test(base64_is_the_standards),
	};
	return cmocka_run_group_tests_name("proto", tests, NULL, NULL);
}
