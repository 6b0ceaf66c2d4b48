/*
 * Any bytes into both parsers. What they make of them when they come in pieces is what they make of them at once, from
 * a block of just that size; a line that is done ends in CR LF and says nothing that cannot be.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../../core/client/lrd_proto.h"

typedef struct outcome {
	lrd_parse parse;
	lrd_reply reply;
	lrd_slice key;
	size_t used;
} outcome;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
	if (!holds) {
		__builtin_trap();
	}
}

static outcome parse(bool is_classic, const char *bytes, size_t size)
{
	outcome o = { .used = SIZE_MAX, .reply = { .value = (char *) &o } };
	char *value = o.reply.value;
	o.parse = is_classic
		? lrd_proto_classic(bytes, size, &o.reply, &o.key, &o.used)
		: lrd_proto_reply(bytes, size, &o.reply, &o.used);
	require(o.reply.value == value);
	o.reply.value = NULL;
	return o;
}

static void check_done(const outcome *o, const char *bytes, size_t size)
{
	const lrd_reply *reply = &o->reply;
	require(o->used >= 4 && o->used <= size && o->used <= LRD_PROTO_REPLY_MAX);
	require(memcmp(bytes + o->used - 2, "\r\n", 2) == 0);
	require(memchr(bytes, '\n', o->used) == bytes + o->used - 1 && memchr(bytes, 0, o->used) == NULL);
	require(reply->code >= LRD_CODE_OK && reply->code <= LRD_CODE_UNKNOWN_COMMAND);
	require(reply->size <= UINT64_C(1) << 30 && reply->ttl >= -1);
	require(!(reply->won && reply->waiting));
	require(!reply->has_value || (reply->code == LRD_CODE_OK && bytes[0] == 'V'));
	if (o->key.size > 0) {
		require(o->key.size <= LRD_WIRE_KEY_MAX && o->key.bytes == bytes + 6 && 6 + o->key.size < o->used);
	}
}

static bool are_same(const outcome *a, const outcome *b)
{
	const lrd_reply *x = &a->reply, *y = &b->reply;
	return a->parse == b->parse && a->used == b->used && a->key.size == b->key.size && x->cas == y->cas
		&& x->ttl == y->ttl && x->size == y->size && x->flags == y->flags && x->opaque == y->opaque
		&& x->code == y->code && x->has_opaque == y->has_opaque && x->has_value == y->has_value && x->won == y->won
		&& x->stale == y->stale && x->waiting == y->waiting;
}

static void check(bool is_classic, const uint8_t *bytes, size_t size)
{
	char *whole = malloc(size + (size == 0));
	memcpy(whole, bytes, size);
	outcome at_once = parse(is_classic, whole, size);
	if (at_once.parse == LRD_PARSE_DONE) {
		check_done(&at_once, whole, size);
	} else {
		require(at_once.used == 0);
	}
	outcome grown = { .parse = LRD_PARSE_MORE };
	size_t length = 0;
	for (bool is_all = false; !is_all && grown.parse == LRD_PARSE_MORE; length += length < 80 ? 1 : 97) {
		is_all = length >= size;
		length = is_all ? size : length;
		char *part = malloc(length + (length == 0));
		memcpy(part, bytes, length);
		grown = parse(is_classic, part, length);
		free(part);
		require(grown.parse != LRD_PARSE_DONE || grown.used == length || (grown.used < length && length > 80));
	}
	require(grown.parse == at_once.parse);
	require(grown.parse != LRD_PARSE_DONE || are_same(&grown, &at_once));
	free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	size = size < 2 * LRD_PROTO_REPLY_MAX ? size : 2 * LRD_PROTO_REPLY_MAX;
	check(false, bytes, size);
	check(true, bytes, size);
	return 0;
}
