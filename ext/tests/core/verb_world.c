#define _GNU_SOURCE
#include "verb_world.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_TTL = 60 * 60 * 24 * 30, NOW = 2000000000 };

lrd_slice text(const char *text)
{
	return (lrd_slice) {text, strlen(text)};
}

void world_clear(world *world)
{
	memset(world->items, 0, sizeof(world->items));
	world->last_cas = 100;
	world->replied = 0;
	world->requests = 0;
}

world_item *world_find(world *world, const char *key)
{
	for (size_t i = 0; i < WORLD_ITEMS; i++) {
		if (world->items[i].is_there && strcmp(world->items[i].key, key) == 0) {
			return &world->items[i];
		}
	}
	return NULL;
}

world_item *world_companion(world *world)
{
	for (size_t i = 0; i < WORLD_ITEMS; i++) {
		if (world->items[i].is_there && strncmp(world->items[i].key, "larder:lease:", 13) == 0) {
			return &world->items[i];
		}
	}
	return NULL;
}

static world_item *make(world *world, const char *key)
{
	world_item *item = world_find(world, key);
	for (size_t i = 0; item == NULL && i < WORLD_ITEMS; i++) {
		if (!world->items[i].is_there) {
			item = &world->items[i];
		}
	}
	assert_non_null(item);
	*item = (world_item) {.is_there = true, .cas = ++world->last_cas, .ttl = -1};
	assert_true(strlen(key) < sizeof(item->key));
	strcpy(item->key, key);
	return item;
}

static void fill(world_item *item, const char *bytes, size_t size)
{
	assert_true(size < sizeof(item->value));
	memcpy(item->value, bytes, size);
	item->value[size] = '\0';
	item->size = size;
}

void world_put(world *world, const char *key, const char *value, uint32_t flags, int64_t ttl)
{
	world_item *item = make(world, key);
	fill(item, value, strlen(value));
	item->flags = flags;
	item->ttl = ttl;
}

void world_pass(world *world, int64_t seconds)
{
	for (size_t i = 0; i < WORLD_ITEMS; i++) {
		world_item *item = &world->items[i];
		if (item->is_there && item->ttl >= 0) {
			item->ttl -= seconds < item->ttl ? seconds : item->ttl;
			item->is_there = item->ttl > 0;
		}
	}
}

/* As the server understands T and N; false: it is over at once. */
static bool set_ttl(world_item *item, int64_t ttl)
{
	if (ttl == 0) {
		item->ttl = -1;
	} else if (ttl > LONGEST_TTL) {
		item->ttl = ttl - NOW;
		item->is_there = item->ttl > 0;
	} else {
		item->ttl = ttl;
		item->is_there = ttl > 0;
	}
	return item->is_there;
}

/* What the flags of a request asked for. */
static void tell(world *world, const world_item *item, const lrd_request *request, lrd_reply *reply)
{
	if ((request->with & LRD_ASK_CAS) != 0) {
		reply->cas = world->numbers_nothing ? 0 : item->cas;
	}
	if ((request->with & LRD_ASK_FLAGS) != 0) {
		reply->flags = item->flags;
	}
	if ((request->with & LRD_ASK_TTL) != 0) {
		reply->ttl = item->ttl;
	}
	if ((request->with & LRD_ASK_SIZE) != 0) {
		reply->size = item->size;
	}
	if ((request->with & LRD_ASK_VALUE) != 0) {
		assert_true(world->replied + item->size <= WORLD_REPLIES);
		reply->value = memcpy(world->replies + world->replied, item->value, item->size);
		world->replied += item->size;
		reply->size = item->size;
		reply->has_value = true;
	}
}

static void mg(world *world, const char *key, const lrd_request *request, lrd_reply *reply)
{
	world_item *item = world_find(world, key);
	bool made = item == NULL && (request->with & LRD_WITH_VIVIFY) != 0;
	if (item == NULL && !made) {
		reply->code = LRD_CODE_MISS;
		return;
	}
	if (made) {
		item = make(world, key);
	}
	tell(world, item, request, reply);
	if (made) {
		set_ttl(item, request->vivify);
	}
	reply->waiting = item->won;
	reply->stale = item->stale;
	reply->won = made || (item->stale && !item->won);
	item->won |= reply->won;
	if ((request->with & LRD_WITH_TTL) != 0) {
		set_ttl(item, request->ttl);
	}
	reply->code = LRD_CODE_OK;
}

static void join(world *world, world_item *item, const lrd_request *request, lrd_reply *reply)
{
	char bytes[2 * WORLD_VALUE];
	size_t size = item->size + request->value.size;
	if (size >= WORLD_TOO_LARGE) {
		reply->code = LRD_CODE_NO_MEMORY;
		return;
	}
	size_t before = request->mode == 'A' ? item->size : request->value.size;
	memcpy(bytes, request->mode == 'A' ? item->value : request->value.bytes, before);
	memcpy(bytes + before, request->mode == 'A' ? request->value.bytes : item->value, size - before);
	fill(item, bytes, size);
	item->cas = ++world->last_cas;
	item->stale = item->won = false;
}

static lrd_code refusal(const world_item *item, const lrd_request *request)
{
	bool joins = request->mode == 'A' || request->mode == 'P';
	bool has_cas = (request->with & LRD_WITH_CAS) != 0;
	if (item == NULL) {
		return joins || (request->mode == 'R' && !has_cas) ? LRD_CODE_NOT_STORED
			: has_cas && request->mode != 'E' ? LRD_CODE_NOT_FOUND : LRD_CODE_OK;
	}
	if (request->mode == 'E') {
		return LRD_CODE_NOT_STORED;
	}
	return has_cas && request->cas != item->cas ? LRD_CODE_EXISTS : LRD_CODE_OK;
}

static void ms(world *world, const char *key, const lrd_request *request, lrd_reply *reply)
{
	world_item *item = world_find(world, key);
	if (request->value.size >= WORLD_TOO_LARGE) {
		reply->code = LRD_CODE_TOO_LARGE;
		if (item != NULL) {
			item->is_there = false;     /* rather nothing than the old value */
		}
		return;
	}
	reply->code = (uint8_t) refusal(item, request);
	if (reply->code != LRD_CODE_OK) {
		return;
	}
	if (request->mode == 'A' || request->mode == 'P') {
		join(world, item, request, reply);
	} else {
		item = make(world, key);
		fill(item, request->value.bytes, request->value.size);
		item->flags = request->flags;
		set_ttl(item, (request->with & LRD_WITH_TTL) != 0 ? request->ttl : 0);
	}
	if (reply->code == LRD_CODE_OK && (request->with & LRD_ASK_CAS) != 0) {
		reply->cas = world->numbers_nothing ? 0 : item->cas;
	}
}

static void md(world *world, const char *key, const lrd_request *request, lrd_reply *reply)
{
	world_item *item = world_find(world, key);
	if (item == NULL) {
		reply->code = LRD_CODE_NOT_FOUND;
	} else if ((request->with & LRD_WITH_CAS) != 0 && request->cas != item->cas) {
		reply->code = LRD_CODE_EXISTS;
	} else if ((request->with & LRD_WITH_STALE) != 0) {
		reply->code = LRD_CODE_OK;
		item->cas = ++world->last_cas;
		item->stale = true;
		item->won = false;
		if ((request->with & LRD_WITH_TTL) != 0) {
			set_ttl(item, request->ttl);
		}
	} else {
		reply->code = LRD_CODE_OK;
		item->is_there = false;
	}
}

static void ma(world *world, const char *key, const lrd_request *request, lrd_reply *reply)
{
	world_item *item = world_find(world, key);
	if (item == NULL) {
		reply->code = LRD_CODE_NOT_FOUND;
		return;
	}
	char *end, digits[24];
	errno = 0;
	uint64_t number = strtoull(item->value, &end, 10);
	bool is_huge = (int64_t) number < 0 && (world->is_fickle || strchr(item->value, '-') != NULL);
	if (errno != 0 || is_huge || end == item->value || (*end != '\0' && *end != ' ')) {
		reply->code = LRD_CODE_NOT_A_NUMBER;
		return;
	}
	size_t size = (size_t) snprintf(digits, sizeof(digits), "%" PRIu64, number + request->delta);
	world_item shown = *item;
	fill(&shown, digits, size);
	if (size > item->size || world->is_fickle) {
		fill(item, digits, size);
		item->stale = item->won = false;    /* in new room; else in place, marks and all */
	} else {
		memset(item->value, ' ', item->size);
		memcpy(item->value, digits, size);
	}
	item->cas = shown.cas = ++world->last_cas;
	tell(world, &shown, request, reply);
	reply->code = LRD_CODE_OK;
}

void world_answer(world *world, const lrd_request *request, lrd_reply *reply)
{
	char key[WORLD_VALUE];
	assert_true(request->key.size > 0 && request->key.size < sizeof(key));
	memcpy(key, request->key.bytes, request->key.size);
	key[request->key.size] = '\0';
	*reply = (lrd_reply) {.value = reply->value};
	world->requests++;
	switch ((lrd_command) request->command) {
	case LRD_MG:
		mg(world, key, request, reply);
		break;
	case LRD_MS:
		ms(world, key, request, reply);
		break;
	case LRD_MD:
		md(world, key, request, reply);
		break;
	case LRD_MA:
		ma(world, key, request, reply);
		break;
	}
}

void world_step(world *world, lrd_op *op, const lrd_verb_rules *rules)
{
	assert_true(op->open);
	world_answer(world, &op->request, &op->reply);
	lrd_verb_reply(op, rules);
}

void world_run(world *world, lrd_op *op, const lrd_verb_rules *rules)
{
	lrd_verb_begin(op, rules);
	while (op->open) {
		world_step(world, op, rules);
	}
}

void world_fail(lrd_op *op, const lrd_verb_rules *rules, lrd_code code)
{
	op->reply = (lrd_reply) {.code = (uint8_t) code, .value = op->reply.value};
	if (code == LRD_CODE_NONE || code == LRD_CODE_UNANSWERED) {
		op->failure = code == LRD_CODE_NONE ? LRD_FAILURE_UNREACHABLE : LRD_FAILURE_TIMED_OUT;
	}
	lrd_verb_reply(op, rules);
}

bool world_holds(world *world, const char *key, uint64_t token)
{
	const world_item *item = world_find(world, key);
	const world_item *companion = world_companion(world);
	uint64_t cas = token >> 2;
	if (token == 0 || item == NULL) {
		return false;
	}
	if ((token & 3) == 0) {
		return item->cas == cas && item->size == 0 && item->flags == 0;
	}
	return companion != NULL && companion->cas == cas && strtoull(companion->value, NULL, 16) == item->cas;
}
