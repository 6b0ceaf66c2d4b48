/*
 * Two ops on one key, from every kind of state, in every order that their steps can come in, with the end of the
 * leases' time or somebody's write anywhere between: the answers of both and what is left must be those of one after
 * the other. So no lease has two holders, a counter gets each number once, nothing stored with a lost lease lands, and
 * no stub is handed out.
 */
#define _GNU_SOURCE
#include "verb_cases.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTCOME = 320, STEPS = 64 };

/* ---- what came of it ---- */

/*
 * As a reader takes it: without padding, and an integer of 2^63 or more for the negative one that it is about to be
 * written as.
 */
static int tell_value(char *at, size_t room, const char *bytes, size_t size, uint32_t flags)
{
	char value[WORLD_VALUE];
	assert_true(size < sizeof(value));
	memcpy(value, bytes, size);
	value[size] = '\0';
	value[strcspn(value, " ")] = '\0';
	errno = 0;
	uint64_t number = strtoull(value, NULL, 10);
	if (flags == INTEGER && value[0] != '-' && number > INT64_MAX && errno == 0) {
		snprintf(value, sizeof(value), "%" PRId64, (int64_t) number);
	}
	return snprintf(at, room, " \"%s\"", value);
}

static size_t tell_op(char *at, size_t room, world *world, const lrd_op *op, bool tells_version)
{
	const world_item *item = world_find(world, KEY);
	int length = snprintf(at, room, "%d %d", op->status, op->failure);
	if (op->status == LRD_OK && op->kind == LRD_OP_ADD_NUMBER) {
		length += snprintf(at + length, room - (size_t) length, " =%" PRId64, op->number);
	}
	if (op->found != NULL) {
		length += tell_value(at + length, room - (size_t) length, op->found, op->found_size, op->found_flags);
		length += snprintf(at + length, room - (size_t) length, "%s", op->stale ? " stale" : "");
	}
	if (op->wants_version && op->status == LRD_OK && tells_version) {
		length += snprintf(
			at + length, room - (size_t) length, item != NULL && item->cas == op->version ? " current" : " outdated");
	}
	if (tells_version && world_holds(world, KEY, op->lease)) {
		length += snprintf(at + length, room - (size_t) length, " holds");
	}
	return (size_t) length;
}

/* A sign is written with the ttl that was left a step before: so hundreds of seconds are exact enough. */
static void tell(char outcome[OUTCOME], world *world, const lrd_op *a, const lrd_op *b, uint64_t lease)
{
	const world_item *item = world_find(world, KEY);
	/* A sum that gets its sign gets another version by it, which ends a lease too. */
	bool tells_version = a->kind != LRD_OP_ADD_NUMBER && b->kind != LRD_OP_ADD_NUMBER;
	size_t at = tell_op(outcome, OUTCOME, world, a, tells_version);
	at += (size_t) snprintf(outcome + at, OUTCOME - at, " | ");
	at += tell_op(outcome + at, OUTCOME - at, world, b, tells_version);
	at += (size_t) snprintf(outcome + at, OUTCOME - at, " | third %d | ", world_holds(world, KEY, lease));
	if (item == NULL) {
		snprintf(outcome + at, OUTCOME - at, "nothing");
	} else {
		at += (size_t) tell_value(outcome + at, OUTCOME - at, item->value, item->size, item->flags);
		snprintf(outcome + at, OUTCOME - at, " flags %u ttl %" PRId64 "%s", item->flags, (item->ttl + 99) / 100 * 100,
			item->stale ? " stale" : "");
	}
}

static void assert_one_holder(world *world, const lrd_op *a, const lrd_op *b, uint64_t lease)
{
	assert_true(world_holds(world, KEY, a->lease) + world_holds(world, KEY, b->lease)
			+ (lease != a->lease && lease != b->lease && world_holds(world, KEY, lease))
		<= 1);
}

/* ---- one pair, in every order ---- */

/* What happens once, anywhere between the steps of the two. */
typedef enum meanwhile {
	NOTHING,
	LEASES_RUN_OUT,
	SOMEBODY_SETS,
} meanwhile;

typedef struct pair {
	const start *start;
	const deed *a, *b;
	lrd_verb_rules rules;
	meanwhile third;
	bool is_fickle;
	char allowed[12][OUTCOME];
	uint32_t allowed_count;
	uint64_t runs;
} pair;

static world shared;

static void happen(meanwhile third)
{
	if (third == LEASES_RUN_OUT) {
		world_pass(&shared, LEASE_SECONDS + 1);
	} else if (third == SOMEBODY_SETS) {
		world_put(&shared, KEY, "30", INTEGER, 1000);
	}
}

/* 0: a, 1: b, 2: what happens meanwhile. The whole of one, then the whole of the next. */
static void run_whole(pair *pair, const int order[3], bool is_fickle)
{
	uint64_t lease = set_up(&shared, pair->start, &pair->rules);
	lrd_op ops[2] = {op_of(&shared, pair->a, "10", lease), op_of(&shared, pair->b, "-20", lease)};
	shared.is_fickle = is_fickle;
	for (int i = 0; i < 3; i++) {
		if (order[i] == 2) {
			happen(pair->third);
		} else {
			world_run(&shared, &ops[order[i]], &pair->rules);
		}
	}
	shared.is_fickle = false;
	tell(pair->allowed[pair->allowed_count++], &shared, &ops[0], &ops[1], lease);
}

/*
 * A sum past the range is noticed only after the fact: who reads or counts in that moment meets what has wrapped
 * around.
 */
static bool meets_wrapped(const pair *pair)
{
	const deed *two[2] = {pair->a, pair->b};
	for (int i = 0; i < 2; i++) {
		lrd_kind kind = (lrd_kind) two[1 - i]->op.kind;
		if (pair->start->value != NULL && strcmp(pair->start->value, "9223372036854775806") == 0 && two[i]->op.by > 1) {
			return kind == LRD_OP_GET || kind == LRD_OP_GET_AND_TOUCH || kind == LRD_OP_GET_OR_LEASE
				|| kind == LRD_OP_ADD_NUMBER;
		}
	}
	return false;
}

/* Even then no number is lost or counted twice. */
static void check_wrapped(const pair *pair, const lrd_op ops[2])
{
	uint64_t sum = (uint64_t) INT64_MAX - 1;
	const world_item *item = world_find(&shared, KEY);
	for (int i = 0; i < 2; i++) {
		sum += ops[i].kind == LRD_OP_ADD_NUMBER && ops[i].status == LRD_OK ? (uint64_t) ops[i].by : 0;
	}
	assert_non_null(item);
	if ((item->value[0] == '-' ? 0 - strtoull(item->value + 1, NULL, 10) : strtoull(item->value, NULL, 10)) != sum) {
		fail_msg("%s, %s: %s instead of %" PRIu64, pair->a->name, pair->b->name, item->value, sum);
	}
}

static void check(const pair *pair, const lrd_op ops[2], uint64_t lease, const char *trace)
{
	char outcome[OUTCOME];
	tell(outcome, &shared, &ops[0], &ops[1], lease);
	for (uint32_t i = 0; i < pair->allowed_count; i++) {
		if (strcmp(outcome, pair->allowed[i]) == 0) {
			return;
		}
	}
	for (uint32_t i = 0; i < pair->allowed_count; i++) {
		print_error("one after the other: %s\n", pair->allowed[i]);
	}
	fail_msg("%s: %s, %s; %s: %s", pair->start->name, pair->a->name, pair->b->name, trace, outcome);
}

/* Choices made so far, and out of how many: the next run takes the next one at the last place that has one. */
typedef struct path {
	uint8_t taken[STEPS], of[STEPS];
	uint32_t length;
} path;

static uint32_t choose(path *path, uint32_t at, uint32_t of)
{
	assert_true(at < STEPS);
	if (at >= path->length) {
		path->taken[at] = 0;
		path->length = at + 1;
	}
	path->of[at] = (uint8_t) of;
	return path->taken[at];
}

static bool next(path *path)
{
	while (path->length > 0) {
		uint32_t last = path->length - 1;
		if (++path->taken[last] < path->of[last]) {
			return true;
		}
		path->length = last;
	}
	return false;
}

static void run_mixed(pair *pair, path *path)
{
	char trace[STEPS + 1] = "";
	uint64_t lease = set_up(&shared, pair->start, &pair->rules);
	lrd_op ops[2] = {op_of(&shared, pair->a, "10", lease), op_of(&shared, pair->b, "-20", lease)};
	bool third_left = pair->third != NOTHING;
	shared.is_fickle = pair->is_fickle;
	lrd_verb_begin(&ops[0], &pair->rules);
	lrd_verb_begin(&ops[1], &pair->rules);
	for (uint32_t at = 0; ops[0].open || ops[1].open || third_left; at++) {
		uint32_t able[3], count = 0;
		for (uint32_t i = 0; i < 2; i++) {
			if (ops[i].open) {
				able[count++] = i;
			}
		}
		if (third_left) {
			able[count++] = 2;
		}
		uint32_t who = able[choose(path, at, count)];
		trace[at] = "ab!"[who];
		if (who == 2) {
			happen(pair->third);
			third_left = false;
		} else {
			world_step(&shared, &ops[who], &pair->rules);
		}
		assert_one_holder(&shared, &ops[0], &ops[1], lease);
	}
	pair->runs++;
	if (!meets_wrapped(pair)) {
		check(pair, ops, lease, trace);
	} else if (pair->third != SOMEBODY_SETS) {
		check_wrapped(pair, ops);
	}
	shared.is_fickle = false;
}

static uint64_t run_pair(
	const start *start, const deed *a, const deed *b, bool has_stubs, meanwhile third, bool is_fickle)
{
	static const int orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	pair pair = {.start = start, .a = a, .b = b, .rules = {has_stubs}, .third = third, .is_fickle = is_fickle};
	path path = {.length = 0};
	for (int i = 0; i < (third != NOTHING ? 6 : 2); i++) {
		run_whole(&pair, orders[i], false);
		run_whole(&pair, orders[i], true);      /* by chance or not, counting may or may not end a mark */
	}
	do {
		run_mixed(&pair, &path);
	} while (next(&path));
	return pair.runs;
}

static bool joins(const deed *deed)
{
	return deed->op.kind == LRD_OP_APPEND || deed->op.kind == LRD_OP_PREPEND;
}

/* Bytes are not joined to a counter: not even one after the other would that give anything. */
static bool is_sensible(const start *start, const deed *a, const deed *b, bool has_stubs)
{
	bool joins_to_counter = (joins(a) && b->op.kind == LRD_OP_ADD_NUMBER)
		|| (joins(b) && a->op.kind == LRD_OP_ADD_NUMBER);
	return !joins_to_counter && (has_stubs || !(start->needs_stubs || a->needs_stubs || b->needs_stubs));
}

static void run_all(bool has_stubs, meanwhile third, bool is_fickle)
{
	uint64_t runs = 0;
	for (size_t s = 0; s < start_count; s++) {
		for (size_t a = 0; a < deed_count; a++) {
			for (size_t b = a; b < deed_count; b++) {
				if (is_sensible(&starts[s], &deeds[a], &deeds[b], has_stubs)) {
					runs += run_pair(&starts[s], &deeds[a], &deeds[b], has_stubs, third, is_fickle);
				}
			}
		}
	}
	print_message("           %" PRIu64 " runs\n", runs);
}

static void one_after_the_other_in_a_pool_without_leases(void **state)
{
	(void) state;
	run_all(false, NOTHING, false);
	run_all(false, NOTHING, true);
}

static void one_after_the_other_in_a_pool_with_leases(void **state)
{
	(void) state;
	run_all(true, NOTHING, false);
	run_all(true, NOTHING, true);
}

static void one_after_the_other_while_leases_run_out(void **state)
{
	(void) state;
	run_all(true, LEASES_RUN_OUT, false);
}

static void one_after_the_other_while_somebody_sets(void **state)
{
	(void) state;
	run_all(false, SOMEBODY_SETS, false);
	run_all(true, SOMEBODY_SETS, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_after_the_other_in_a_pool_without_leases),
		cmocka_unit_test(one_after_the_other_in_a_pool_with_leases),
		cmocka_unit_test(one_after_the_other_while_leases_run_out),
		cmocka_unit_test(one_after_the_other_while_somebody_sets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
