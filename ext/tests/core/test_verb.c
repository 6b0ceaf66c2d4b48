/*
 * What each kind sends and makes of its replies: alone, at a stub, without an answer, and when others always come
 * first.
 */
#define _GNU_SOURCE
#include "verb_cases.h"

#include <string.h>

static world shared;
static const lrd_verb_rules plain = {false}, leasing = {true};

static bool is_read(const lrd_op *op)
{
	return op->kind == LRD_OP_GET || op->kind == LRD_OP_GET_AND_TOUCH || op->kind == LRD_OP_HAS
		|| op->kind == LRD_OP_VERSION || op->kind == LRD_OP_GET_OR_LEASE;
}

/* Of these the flags are not the value's own, but such as the stored one may not have. */
static bool adds_bytes(lrd_kind kind)
{
	return kind == LRD_OP_APPEND || kind == LRD_OP_PREPEND;
}

/* ---- requests ---- */

typedef struct shape {
	lrd_op op;
	uint8_t command;
	char mode;
	uint16_t with, with_in_leasing;
	uint8_t command_in_leasing;
} shape;

enum { MEASURES = LRD_ASK_SIZE | LRD_ASK_FLAGS };

static const shape shapes[] = {
	{{.kind = LRD_OP_GET}, LRD_MG, 0, LRD_ASK_VALUE | LRD_ASK_FLAGS, LRD_ASK_VALUE | LRD_ASK_FLAGS, LRD_MG},
	{{.kind = LRD_OP_GET, .wants_version = true}, LRD_MG, 0, LRD_ASK_VALUE | LRD_ASK_FLAGS | LRD_ASK_CAS,
		LRD_ASK_VALUE | LRD_ASK_FLAGS | LRD_ASK_CAS, LRD_MG},
	{{.kind = LRD_OP_GET_AND_TOUCH}, LRD_MG, 0, LRD_ASK_VALUE | LRD_ASK_FLAGS | LRD_WITH_TTL, MEASURES, LRD_MG},
	{{.kind = LRD_OP_HAS}, LRD_MG, 0, LRD_ASK_SIZE, MEASURES, LRD_MG},
	{{.kind = LRD_OP_VERSION}, LRD_MG, 0, LRD_ASK_CAS, MEASURES | LRD_ASK_CAS, LRD_MG},
	{{.kind = LRD_OP_SET}, LRD_MS, 'S', 0, 0, LRD_MS},
	{{.kind = LRD_OP_SET, .ttl = 5}, LRD_MS, 'S', LRD_WITH_TTL, LRD_WITH_TTL, LRD_MS},
	{{.kind = LRD_OP_ADD, .ttl = -1}, LRD_MS, 'E', LRD_WITH_TTL, LRD_WITH_TTL, LRD_MS},
	{{.kind = LRD_OP_REPLACE}, LRD_MS, 'R', 0, MEASURES | LRD_ASK_CAS, LRD_MG},
	{{.kind = LRD_OP_CAS, .token = 7}, LRD_MS, 'S', LRD_WITH_CAS, LRD_WITH_CAS, LRD_MS},
	{{.kind = LRD_OP_APPEND, .ttl = 5}, LRD_MS, 'A', 0, MEASURES | LRD_ASK_CAS, LRD_MG},
	{{.kind = LRD_OP_PREPEND}, LRD_MS, 'P', 0, MEASURES | LRD_ASK_CAS, LRD_MG},
	{{.kind = LRD_OP_DELETE}, LRD_MD, 0, 0, MEASURES | LRD_WITH_TTL, LRD_MG},
	{{.kind = LRD_OP_TOUCH}, LRD_MG, 0, LRD_WITH_TTL, MEASURES, LRD_MG},
	{{.kind = LRD_OP_TOUCH, .ttl = -1}, LRD_MG, 0, LRD_WITH_TTL, MEASURES | LRD_ASK_CAS | LRD_WITH_TTL, LRD_MG},
	{{.kind = LRD_OP_ADD_NUMBER, .by = -1}, LRD_MA, '+', LRD_ASK_VALUE | LRD_ASK_CAS | LRD_ASK_TTL,
		LRD_ASK_VALUE | LRD_ASK_CAS | LRD_ASK_TTL, LRD_MA},
};

static void the_first_request_asks_for_no_more_than_it_needs(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		for (int has_stubs = 0; has_stubs < 2; has_stubs++) {
			lrd_op op = shapes[i].op;
			op.key = text("a2V5");
			op.is_base64 = true;
			op.value = text("value");
			op.flags = adds_bytes(op.kind) ? 0 : 99;
			lrd_verb_begin(&op, has_stubs ? &leasing : &plain);
			assert_true(op.open);
			assert_int_equal(op.request.command, has_stubs ? shapes[i].command_in_leasing : shapes[i].command);
			assert_int_equal(op.request.with, has_stubs ? shapes[i].with_in_leasing : shapes[i].with);
			assert_true(lrd_slice_equals(op.request.key, text("a2V5")) && op.request.is_base64);
			if (op.request.command != LRD_MG) {
				assert_int_equal(op.request.mode, shapes[i].mode);
			}
			if (op.request.command == LRD_MS) {
				assert_true(lrd_slice_equals(op.request.value, text("value")) && op.request.flags == op.flags);
			}
		}
	}
}

static void one_round_trip_is_enough_in_a_pool_without_leases(void **state)
{
	(void) state;
	for (size_t s = 0; s < start_count; s++) {
		for (size_t d = 0; d < deed_count; d++) {
			if (starts[s].needs_stubs || deeds[d].needs_stubs || deeds[d].op.kind == LRD_OP_ADD_NUMBER) {
				continue;
			}
			set_up(&shared, &starts[s], &plain);
			lrd_op op = op_of(&shared, &deeds[d], "10", 0);
			world_run(&shared, &op, &plain);
			assert_int_equal(shared.requests, 1);
		}
	}
}

static void only_a_plain_get_may_be_classic(void **state)
{
	(void) state;
	for (size_t d = 0; d < deed_count; d++) {
		lrd_op op = deeds[d].op;
		assert_int_equal(lrd_verb_is_classic(&op), op.kind == LRD_OP_GET && !op.wants_version);
		op.is_base64 = true;
		assert_false(lrd_verb_is_classic(&op));
	}
}

/* ---- answers ---- */

/* Which request may be sent a second time: none that could change something by itself. */
static void only_what_looks_may_be_asked_again(void **state)
{
	(void) state;
	for (size_t s = 0; s < start_count; s++) {
		for (size_t d = 0; d < deed_count; d++) {
			uint64_t lease = set_up(&shared, &starts[s], &leasing);
			lrd_op op = op_of(&shared, &deeds[d], "10", lease);
			lrd_verb_begin(&op, &leasing);
			while (op.open) {
				lrd_reply reply;
				world before = shared;
				world_answer(&shared, &op.request, &reply);
				if (lrd_verb_only_looks(&op)) {
					for (size_t i = 0; i < WORLD_ITEMS; i++) {
						before.items[i].won = shared.items[i].won;
					}
					assert_memory_equal(before.items, shared.items, sizeof shared.items);
				}
				memcpy(shared.items, before.items, sizeof shared.items);
				shared.last_cas = before.last_cas;
				world_step(&shared, &op, &leasing);
			}
		}
	}
}

static void bytes_are_added_only_to_what_has_none_of_these_flags(void **state)
{
	(void) state;
	for (int has_stubs = 0; has_stubs < 2; has_stubs++) {
		for (uint32_t flags = 0; flags < 4; flags++) {
			world_clear(&shared);
			world_put(&shared, KEY, "b", flags, 100);
			lrd_op op = {.kind = LRD_OP_APPEND, .key = text(KEY), .value = text("c"), .flags = 1};
			world_run(&shared, &op, has_stubs ? &leasing : &plain);
			assert_int_equal(op.status, (flags & 1) != 0 ? LRD_EXISTS : LRD_OK);
			assert_string_equal(world_find(&shared, KEY)->value, (flags & 1) != 0 ? "b" : "bc");
			assert_int_equal(world_find(&shared, KEY)->flags, flags);
			assert_int_equal(world_find(&shared, KEY)->ttl, 100);
		}
	}
}

static void a_read_gives_the_value_its_flags_version_and_staleness(void **state)
{
	(void) state;
	world_clear(&shared);
	world_put(&shared, KEY, "bytes", 77, 100);
	lrd_op op = {.kind = LRD_OP_GET, .key = text(KEY), .wants_version = true};
	world_run(&shared, &op, &leasing);
	assert_int_equal(op.status, LRD_OK);
	assert_true(op.found_size == 5 && memcmp(op.found, "bytes", 5) == 0 && op.found_flags == 77 && !op.stale);
	assert_int_equal(op.version, world_find(&shared, KEY)->cas);

	world_find(&shared, KEY)->stale = true;
	for (int i = 0; i < 2; i++) {
		world_run(&shared, &op, &leasing);
		assert_int_equal(op.status, LRD_OK);
		assert_true(op.found_size == 5 && op.stale && op.version != 0);
	}
	world_find(&shared, KEY)->is_there = false;
	world_run(&shared, &op, &leasing);
	assert_int_equal(op.status, LRD_MISS);
	assert_true(op.found == NULL && op.found_size == 0 && op.found_flags == 0 && op.version == 0 && !op.stale);
}

static void a_version_is_given_only_when_asked_for(void **state)
{
	(void) state;
	world_clear(&shared);
	world_put(&shared, KEY, "bytes", 77, 100);
	lrd_op op = {.kind = LRD_OP_GET_AND_TOUCH, .key = text(KEY), .ttl = 50};
	world_run(&shared, &op, &leasing);
	assert_int_equal(op.status, LRD_OK);
	assert_int_equal(op.version, 0);
	assert_int_equal(world_find(&shared, KEY)->ttl, 50);
}

static void a_version_comes_without_its_value(void **state)
{
	(void) state;
	for (int has_stubs = 0; has_stubs < 2; has_stubs++) {
		world_clear(&shared);
		world_put(&shared, KEY, "bytes", 77, 100);
		lrd_op op = {.kind = LRD_OP_VERSION, .key = text(KEY)};
		world_run(&shared, &op, has_stubs ? &leasing : &plain);
		assert_int_equal(op.status, LRD_OK);
		assert_null(op.found);
		assert_int_equal(op.version, world_find(&shared, KEY)->cas);
	}
}

typedef struct answer {
	lrd_kind kind;
	uint64_t token;             /* 1: the item's version */
	lrd_status missing, there;
} answer;

static const answer answers[] = {
	{LRD_OP_GET, 0, LRD_MISS, LRD_OK},
	{LRD_OP_GET_AND_TOUCH, 0, LRD_MISS, LRD_OK},
	{LRD_OP_HAS, 0, LRD_MISS, LRD_OK},
	{LRD_OP_VERSION, 0, LRD_MISS, LRD_OK},
	{LRD_OP_SET, 0, LRD_OK, LRD_OK},
	{LRD_OP_ADD, 0, LRD_OK, LRD_EXISTS},
	{LRD_OP_REPLACE, 0, LRD_MISS, LRD_OK},
	{LRD_OP_CAS, 0, LRD_MISS, LRD_EXISTS},
	{LRD_OP_CAS, 1, LRD_MISS, LRD_OK},
	{LRD_OP_CAS, 2, LRD_MISS, LRD_EXISTS},
	{LRD_OP_APPEND, 0, LRD_MISS, LRD_OK},
	{LRD_OP_PREPEND, 0, LRD_MISS, LRD_OK},
	{LRD_OP_DELETE, 0, LRD_MISS, LRD_OK},
	{LRD_OP_TOUCH, 0, LRD_MISS, LRD_OK},
	{LRD_OP_ADD_NUMBER, 0, LRD_MISS, LRD_OK},
	{LRD_OP_MARK_STALE, 0, LRD_MISS, LRD_OK},
};

static lrd_op ask_answer(const answer *answer, const lrd_verb_rules *rules)
{
	const world_item *item = world_find(&shared, KEY);
	lrd_op op = {
		.kind = (uint8_t) answer->kind, .key = text(KEY), .value = text("2"), .ttl = 100, .by = 1
	};
	op.flags = adds_bytes(answer->kind) ? 0 : INTEGER;
	op.token = answer->token == 1 && item != NULL && item->size > 0 ? item->cas : answer->token;
	world_run(&shared, &op, rules);
	return op;
}

static void each_kind_tells_a_missing_key_from_one_that_is_there(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		for (int has_stubs = answers[i].kind == LRD_OP_MARK_STALE; has_stubs < 2; has_stubs++) {
			world_clear(&shared);
			assert_int_equal(ask_answer(&answers[i], has_stubs ? &leasing : &plain).status, answers[i].missing);
			world_clear(&shared);
			world_put(&shared, KEY, "1", INTEGER, 100);
			assert_int_equal(ask_answer(&answers[i], has_stubs ? &leasing : &plain).status, answers[i].there);
		}
	}
}

static bool ends_a_lease(lrd_kind kind)
{
	return kind == LRD_OP_SET || kind == LRD_OP_ADD || kind == LRD_OP_DELETE || kind == LRD_OP_MARK_STALE;
}

static void a_stub_is_a_miss_for_every_kind_and_only_writes_end_it(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		world_clear(&shared);
		lrd_op lease = {.kind = LRD_OP_GET_OR_LEASE, .key = text(KEY), .seconds = LEASE_SECONDS};
		world_run(&shared, &lease, &leasing);
		assert_true(lease.lease != 0);
		lrd_op op = ask_answer(&answers[i], &leasing);
		assert_int_equal(op.status, answers[i].missing);
		assert_true(op.found == NULL && op.version == 0 && op.lease == 0);
		assert_int_equal(world_holds(&shared, KEY, lease.lease), !ends_a_lease(answers[i].kind));
		if (!ends_a_lease(answers[i].kind)) {
			assert_int_equal(world_find(&shared, KEY)->ttl, LEASE_SECONDS);
		}
	}
}

static void a_touch_that_meets_a_stub_after_its_look_leaves_no_long_lease(void **state)
{
	(void) state;
	for (int gets = 0; gets < 2; gets++) {
		world_clear(&shared);
		world_put(&shared, KEY, "1", INTEGER, 100);
		lrd_op op = {.kind = gets ? LRD_OP_GET_AND_TOUCH : LRD_OP_TOUCH, .key = text(KEY), .ttl = 1000};
		lrd_verb_begin(&op, &leasing);
		world_step(&shared, &op, &leasing);
		world_find(&shared, KEY)->is_there = false;
		lrd_op lease = {.kind = LRD_OP_LEASE, .key = text(KEY), .seconds = LEASE_SECONDS};
		world_run(&shared, &lease, &leasing);
		while (op.open) {
			world_step(&shared, &op, &leasing);
		}
		assert_int_equal(op.status, LRD_MISS);
		assert_null(op.found);
		assert_null(world_find(&shared, KEY));
	}
}

/* ---- no answer ---- */

typedef struct fault {
	lrd_code code;
	lrd_status status;          /* where it is not that of a doubt */
	lrd_failure failure;
} fault;

static const fault faults[] = {
	{LRD_CODE_NONE, LRD_DOWN, LRD_FAILURE_UNREACHABLE},
	{LRD_CODE_UNANSWERED, LRD_UNKNOWN, LRD_FAILURE_TIMED_OUT},
	{LRD_CODE_TOO_LARGE, LRD_TOO_LARGE, LRD_FAILURE_TOO_LARGE},
	{LRD_CODE_NO_MEMORY, LRD_REFUSED, LRD_FAILURE_NO_MEMORY},
	{LRD_CODE_DENIED, LRD_REFUSED, LRD_FAILURE_DENIED},
	{LRD_CODE_BUSY, LRD_REFUSED, LRD_FAILURE_SERVER_ERROR},
	{LRD_CODE_SERVER_ERROR, LRD_REFUSED, LRD_FAILURE_SERVER_ERROR},
	{LRD_CODE_CLIENT_ERROR, LRD_REFUSED, LRD_FAILURE_CLIENT_ERROR},
	{LRD_CODE_UNKNOWN_COMMAND, LRD_REFUSED, LRD_FAILURE_UNKNOWN_COMMAND},
};

static bool same_item(const world_item *a, const world_item *b)
{
	return a->is_there == b->is_there
		&& (!a->is_there
			|| (a->size == b->size && memcmp(a->value, b->value, a->size) == 0 && a->flags == b->flags
				&& a->ttl == b->ttl && a->stale == b->stale));
}

static world_item item_now(void)
{
	const world_item *item = world_find(&shared, KEY);
	return item != NULL ? *item : (world_item) {.is_there = false};
}

/*
 * The op says what ended it. What is reported as not done is not done, whether the server saw the last request or not.
 */
static void check_fault(const fault *fault, const lrd_op *op, const world_item *before, bool may_be_seen)
{
	world_item now = item_now();
	assert_false(op->open);
	if (op->failure == LRD_FAILURE_NONE) {
		/* The answer was had before this step, which was about leases, the touch of a stub or a sign. */
		bool touches = op->kind == LRD_OP_GET_AND_TOUCH || op->kind == LRD_OP_TOUCH;
		assert_true(touches || op->kind == LRD_OP_GET_OR_LEASE || op->kind == LRD_OP_ADD_NUMBER);
		assert_true(op->status == LRD_OK || op->status == LRD_MISS);
		return;
	}
	assert_int_equal(op->failure, fault->failure);
	if (op->status == LRD_DOWN || op->status == LRD_REFUSED || op->status == LRD_TOO_LARGE) {
		assert_true(may_be_seen
				? fault->code == LRD_CODE_UNANSWERED && op->status == LRD_DOWN
				: op->status == fault->status || (fault->code == LRD_CODE_UNANSWERED && op->status == LRD_DOWN));
		assert_true(is_read(op) || same_item(before, &now));
	} else {
		/* Of a counter past the range, what is sure of one step is not of the whole. */
		assert_int_equal(op->status, LRD_UNKNOWN);
		assert_true(fault->code == LRD_CODE_UNANSWERED || op->kind == LRD_OP_ADD_NUMBER);
	}
}

/* Returns false when the op has no such step. */
static bool run_fault(
	const start *start, const deed *deed, const lrd_verb_rules *rules, uint32_t step, const fault *fault, bool is_seen)
{
	uint64_t lease = set_up(&shared, start, rules);
	world_item before = item_now();
	lrd_op op = op_of(&shared, deed, "10", lease);
	lrd_verb_begin(&op, rules);
	for (uint32_t i = 0; i < step && op.open; i++) {
		world_step(&shared, &op, rules);
	}
	if (!op.open) {
		return false;
	}
	if (is_seen) {
		world_answer(&shared, &op.request, &op.reply);
	}
	world_fail(&op, rules, fault->code);
	check_fault(fault, &op, &before, is_seen);
	return true;
}

static void each_step_without_an_answer_ends_the_op_and_says_what_is_sure(void **state)
{
	(void) state;
	uint32_t runs = 0;
	for (size_t s = 0; s < start_count; s++) {
		for (size_t d = 0; d < deed_count; d++) {
			for (int has_stubs = starts[s].needs_stubs || deeds[d].needs_stubs; has_stubs < 2; has_stubs++) {
				const lrd_verb_rules *rules = has_stubs ? &leasing : &plain;
				for (size_t f = 0; f < sizeof(faults) / sizeof(faults[0]); f++) {
					for (uint32_t step = 0; run_fault(&starts[s], &deeds[d], rules, step, &faults[f], false); step++) {
						runs++;
						if (faults[f].code == LRD_CODE_UNANSWERED) {
							run_fault(&starts[s], &deeds[d], rules, step, &faults[f], true);
						}
					}
				}
			}
		}
	}
	assert_true(runs > 5000);
}

static void a_read_without_an_answer_is_unknown(void **state)
{
	(void) state;
	for (size_t d = 0; d < deed_count; d++) {
		lrd_op op = op_of(&shared, &deeds[d], "10", 0);
		if (is_read(&op)) {
			lrd_verb_begin(&op, &leasing);
			world_fail(&op, &leasing, LRD_CODE_UNANSWERED);
			assert_int_equal(op.status, LRD_UNKNOWN);
			assert_int_equal(op.failure, LRD_FAILURE_TIMED_OUT);
		}
	}
}

static void a_reply_that_its_request_cannot_have_is_out_of_step(void **state)
{
	(void) state;
	static const struct {
		lrd_kind kind;
		lrd_code code;
	} odd[] = {
		{ LRD_OP_GET, LRD_CODE_NOT_STORED },
		{ LRD_OP_HAS, LRD_CODE_EXISTS },
		{ LRD_OP_SET, LRD_CODE_NOT_STORED },
		{ LRD_OP_SET, LRD_CODE_MISS },
		{ LRD_OP_DELETE, LRD_CODE_EXISTS },
		{ LRD_OP_ADD_NUMBER, LRD_CODE_EXISTS },
		{ LRD_OP_ADD_NUMBER, LRD_CODE_OK },
		{ LRD_OP_GET_OR_LEASE, LRD_CODE_MISS },
		{ LRD_OP_LEASE, LRD_CODE_EXISTS },
	};
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		lrd_op op = {.kind = (uint8_t) odd[i].kind, .key = text(KEY), .seconds = LEASE_SECONDS};
		lrd_verb_begin(&op, &plain);
		op.reply.code = (uint8_t) odd[i].code;
		lrd_verb_reply(&op, &plain);
		assert_false(op.open);
		assert_int_equal(op.status, LRD_UNKNOWN);
		assert_int_equal(op.failure, LRD_FAILURE_OUT_OF_STEP);
	}
}

/* ---- others always first ---- */

static void what_others_always_change_first_is_given_up(void **state)
{
	(void) state;
	static const lrd_kind kinds[] = { LRD_OP_REPLACE, LRD_OP_APPEND, LRD_OP_PREPEND, LRD_OP_ADD_NUMBER,
		LRD_OP_MARK_STALE };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		lrd_op op = {.kind = (uint8_t) kinds[i], .key = text(KEY), .value = text("x"), .by = 1};
		op.flags = adds_bytes(kinds[i]) ? 0 : INTEGER;
		world_clear(&shared);
		lrd_verb_begin(&op, &leasing);
		while (op.open) {
			assert_true(shared.requests < 200);
			if ((op.request.with & LRD_WITH_CAS) != 0 || shared.requests == 0) {
				world_put(&shared, KEY, "-9", INTEGER, 100);
			}
			world_step(&shared, &op, &leasing);
		}
		assert_int_equal(op.status, LRD_REFUSED);
		assert_int_equal(op.failure, LRD_FAILURE_CONTENDED);
		assert_string_equal(world_find(&shared, KEY)->value, "-9");
	}
}

static void an_op_can_begin_again_elsewhere(void **state)
{
	(void) state;
	world_clear(&shared);
	world_put(&shared, KEY, "bytes", 77, 100);
	lrd_op op = {.kind = LRD_OP_GET, .key = text(KEY), .wants_version = true};
	world_run(&shared, &op, &leasing);
	lrd_verb_begin(&op, &leasing);
	world_fail(&op, &leasing, LRD_CODE_NONE);
	assert_int_equal(op.status, LRD_DOWN);
	assert_true(op.found == NULL && op.version == 0);
	world_run(&shared, &op, &leasing);
	assert_int_equal(op.status, LRD_OK);
	assert_int_equal(op.failure, LRD_FAILURE_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_request_asks_for_no_more_than_it_needs),
		cmocka_unit_test(one_round_trip_is_enough_in_a_pool_without_leases),
		cmocka_unit_test(only_a_plain_get_may_be_classic),
		cmocka_unit_test(only_what_looks_may_be_asked_again),
		cmocka_unit_test(bytes_are_added_only_to_what_has_none_of_these_flags),
		cmocka_unit_test(a_read_gives_the_value_its_flags_version_and_staleness),
		cmocka_unit_test(a_version_is_given_only_when_asked_for),
		cmocka_unit_test(a_version_comes_without_its_value),
		cmocka_unit_test(each_kind_tells_a_missing_key_from_one_that_is_there),
		cmocka_unit_test(a_stub_is_a_miss_for_every_kind_and_only_writes_end_it),
		cmocka_unit_test(a_touch_that_meets_a_stub_after_its_look_leaves_no_long_lease),
		cmocka_unit_test(each_step_without_an_answer_ends_the_op_and_says_what_is_sure),
		cmocka_unit_test(a_read_without_an_answer_is_unknown),
		cmocka_unit_test(a_reply_that_its_request_cannot_have_is_out_of_step),
		cmocka_unit_test(what_others_always_change_first_is_given_up),
		cmocka_unit_test(an_op_can_begin_again_elsewhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
