#define _GNU_SOURCE
#include "verb_cases.h"

/* ---- states ---- */

const start starts[] = {
	{"missing", false, NULL, 0, false, false, false, false},
	{"stub", true, NULL, 0, false, true, false, false},
	{"number", false, "5", INTEGER, false, false, false, false},
	{"number of two digits", false, "11", INTEGER, false, false, false, false},
	{"negative", false, "-5", INTEGER, false, false, false, false},
	{"largest", false, "9223372036854775806", INTEGER, false, false, false, false},
	{"smallest", false, "-9223372036854775807", INTEGER, false, false, false, false},
	{"negative without its sign", false, "18446744073709551611", INTEGER, false, false, false, false},
	{"padded", false, "7   ", INTEGER, false, false, false, false},
	{"string", false, "text", STRING, false, false, false, false},
	{"empty string", false, "", STRING, false, false, false, false},
	{"leased", true, "5", INTEGER, false, true, false, false},
	{"leased, then written", true, "5", INTEGER, false, true, true, false},
	{"stale", true, "5", INTEGER, true, false, false, false},
	{"stale, read by somebody", true, "text", STRING, true, false, false, true},
	{"stale, leased", true, "text", STRING, true, true, false, false},
	{"stale, lease outdated by another mark", true, "5", INTEGER, true, true, true, false},
};

static lrd_op lease_op(lrd_kind kind)
{
	return (lrd_op) {.kind = (uint8_t) kind, .key = text(KEY), .seconds = LEASE_SECONDS};
}

uint64_t set_up(world *world, const start *start, const lrd_verb_rules *rules)
{
	uint64_t token = 0;
	world_clear(world);
	if (start->value != NULL) {
		world_put(world, KEY, start->value, start->flags, 1000);
	}
	lrd_op mark = {.kind = LRD_OP_MARK_STALE, .key = text(KEY)};
	if (start->marked) {
		world_run(world, &mark, rules);
		assert_int_equal(mark.status, LRD_OK);
	}
	if (start->leased) {
		lrd_op lease = lease_op(start->marked ? LRD_OP_GET_OR_LEASE : LRD_OP_LEASE);
		world_run(world, &lease, rules);
		assert_true(lease.lease != 0);
		token = lease.lease;
	}
	if (start->seen) {
		lrd_op get = {.kind = LRD_OP_GET, .key = text(KEY)};
		world_run(world, &get, rules);
	}
	if (start->written_over && start->marked) {
		world_run(world, &mark, rules);
	} else if (start->written_over) {
		world_put(world, KEY, start->value, start->flags, 1000);
	}
	return token;
}

/* ---- ops ---- */

const deed deeds[] = {
	{ "get", { .kind = LRD_OP_GET }, false, false },
	{ "gets", { .kind = LRD_OP_GET, .wants_version = true }, false, false },
	{ "getAndTouch", { .kind = LRD_OP_GET_AND_TOUCH, .ttl = 1000 }, false, false },
	{ "has", { .kind = LRD_OP_HAS }, false, false },
	{ "version", { .kind = LRD_OP_VERSION }, false, false },
	{ "set", { .kind = LRD_OP_SET, .flags = INTEGER, .ttl = 1000 }, false, false },
	{ "set of no time", { .kind = LRD_OP_SET, .flags = INTEGER, .ttl = -1 }, false, false },
	{ "add", { .kind = LRD_OP_ADD, .flags = STRING, .ttl = 1000 }, false, false },
	{ "replace", { .kind = LRD_OP_REPLACE, .flags = INTEGER, .ttl = 1000 }, false, false },
	{ "cas", { .kind = LRD_OP_CAS, .flags = STRING, .ttl = 1000 }, false, false },
	{ "append", { .kind = LRD_OP_APPEND }, false, false },
	{ "prepend", { .kind = LRD_OP_PREPEND }, false, false },
	{ "delete", { .kind = LRD_OP_DELETE }, false, false },
	{ "touch", { .kind = LRD_OP_TOUCH, .ttl = 1000 }, false, false },
	{ "touch with no time", { .kind = LRD_OP_TOUCH, .ttl = -1 }, false, false },
	{ "add 3", { .kind = LRD_OP_ADD_NUMBER, .flags = INTEGER, .by = 3 }, false, false },
	{ "add -8", { .kind = LRD_OP_ADD_NUMBER, .flags = INTEGER, .by = -8 }, false, false },
	{ "add 1 from 100",
		{ .kind = LRD_OP_ADD_NUMBER, .flags = INTEGER, .by = 1, .has_initial = true, .initial = 100, .ttl = 1000 },
		false, false },
	{ "add 10 from -3", { .kind = LRD_OP_ADD_NUMBER, .flags = INTEGER, .by = 10, .has_initial = true, .initial = -3 },
		false, false },
	{ "getOrLease", { .kind = LRD_OP_GET_OR_LEASE, .seconds = LEASE_SECONDS }, true, false },
	{ "lease", { .kind = LRD_OP_LEASE, .seconds = LEASE_SECONDS }, true, false },
	{ "set leased", { .kind = LRD_OP_SET_LEASED, .flags = STRING, .ttl = 1000 }, true, true },
	{ "release", { .kind = LRD_OP_RELEASE }, true, true },
	{ "markStale", { .kind = LRD_OP_MARK_STALE }, true, false },
	{ "markStale for 500", { .kind = LRD_OP_MARK_STALE, .ttl = 500 }, true, false },
};

const size_t start_count = sizeof(starts) / sizeof(starts[0]);
const size_t deed_count = sizeof(deeds) / sizeof(deeds[0]);

lrd_op op_of(world *world, const deed *deed, const char *value, uint64_t lease)
{
	const world_item *item = world_find(world, KEY);
	lrd_op op = deed->op;
	op.key = text(KEY);
	op.value = text(op.flags == STRING ? "made" : value);
	if (deed->has_lease) {
		op.token = lease;
	} else if (op.kind == LRD_OP_CAS) {
		op.token = item != NULL ? item->cas : 1;
	}
	return op;
}
