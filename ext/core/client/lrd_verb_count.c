/*
 * Counters: 64-bit signed integers over a server that has only unsigned ones. A number of at least 0 is counted by ma,
 * which adds modulo 2^64, so a negative `by` and a sum below 0 come out right in two's complement. A negative sum is
 * then written anew with its sign, so that other clients can read it; ma refuses that text, so from there on we add and
 * compare-and-swap.
 *
 * Each op adds its number once or not at all: nothing is sent again but what the server said it did not do. A sum past
 * the range is noticed after the fact and taken back, so in that moment others may read or count what has wrapped
 * around.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "lrd_verb_steps.h"

enum {
	COUNT,      /* ma */
	LOOK,       /* at what ma refused */
	WRITE,      /* the sum, over the version looked at */
	MAKE,       /* a counter that is missing */
	SIGN,       /* the sum is there; now in its text */
	UNDO,       /* it went past the range: what was there before, over the version that came of it */
	LOOK_BACK,  /* somebody wrote after that */
};

static const uint64_t NEAR = UINT64_C(1) << 62;

/* ---- requests ---- */

static void count(lrd_op *op)
{
	lrd_request *request = lrd_verb_ask(op, COUNT, LRD_MA, LRD_ASK_VALUE | LRD_ASK_CAS | LRD_ASK_TTL);
	request->mode = '+';
	request->delta = (uint64_t) op->by;
}

static void count_again(lrd_op *op)
{
	if (lrd_verb_again(op)) {
		count(op);
	}
}

static void look(lrd_op *op, uint8_t step)
{
	lrd_verb_ask(op, step, LRD_MG, LRD_ASK_VALUE | LRD_ASK_FLAGS | LRD_ASK_CAS | LRD_ASK_TTL);
}

static void write_number(lrd_op *op, uint8_t step, int64_t number, char mode, uint64_t cas, int64_t ttl)
{
	lrd_request *request = lrd_verb_write(op, step, mode, cas);
	int length = snprintf(op->scratch, sizeof(op->scratch), "%" PRId64, number);
	request->value = (lrd_slice) {op->scratch, (size_t) length};
	request->ttl = ttl;
	request->with = (uint16_t) (ttl != 0 ? request->with | LRD_WITH_TTL : request->with & ~LRD_WITH_TTL);
}

/* Over the version that the last reply told, with its ttl. */
static void write_over(lrd_op *op, uint8_t step, int64_t number)
{
	write_number(op, step, number, 'S', op->reply.cas, lrd_verb_same_ttl(op->reply.ttl));
}

/* stub: the version of the lease that stands in its place, or 0. */
static void missing(lrd_op *op, uint64_t stub)
{
	if (!op->has_initial) {
		lrd_verb_end(op, LRD_MISS);
	} else {
		write_number(op, MAKE, op->initial, stub != 0 ? 'S' : 'E', stub, op->ttl);
	}
}

/* ---- replies ---- */

/* Digits, with a minus before them or not, and blanks behind them: the server pads a number that became shorter. */
static bool read_number(const lrd_reply *reply, int64_t *number)
{
	uint64_t digits = 0;
	if (!reply->has_value || reply->value == NULL) {
		return false;
	}
	const char *at = reply->value, *end = at + reply->size;
	while (end > at && end[-1] == ' ') {
		end--;
	}
	bool negative = at < end && *at == '-';
	at += negative;
	if (at == end) {
		return false;
	}
	for (; at < end; at++) {
		if (*at < '0' || *at > '9' || __builtin_mul_overflow(digits, UINT64_C(10), &digits)
				|| __builtin_add_overflow(digits, (uint64_t) (*at - '0'), &digits)) {
			return false;
		}
	}
	*number = (int64_t) (negative ? 0 - digits : digits);
	return !negative || digits <= UINT64_C(1) << 63;
}

static void counted(lrd_op *op)
{
	int64_t sum, within;
	if (!read_number(&op->reply, &sum)) {
		lrd_verb_fail(op, true);
		return;
	}
	int64_t before = (int64_t) ((uint64_t) sum - (uint64_t) op->by);
	if (__builtin_add_overflow(before, op->by, &within)) {
		op->kept = (uint64_t) sum;
		write_over(op, UNDO, before);
		return;
	}
	op->number = sum;
	if (sum < 0) {
		write_over(op, SIGN, sum);
	} else {
		lrd_verb_end(op, LRD_OK);
	}
}

static void count_reply(lrd_op *op)
{
	switch (op->reply.code) {
	case LRD_CODE_OK:
		counted(op);
		break;
	case LRD_CODE_NOT_FOUND:
		missing(op, 0);
		break;
	case LRD_CODE_NOT_A_NUMBER:
		look(op, LOOK);
		break;
	default:
		lrd_verb_fail(op, true);
	}
}

/*
 * Not only at negative numbers: ma may refuse one of 2^63 and more too (a "-" in old bytes behind the item confuses
 * it), and what stands there now may be another than it refused.
 */
static void looked_at(lrd_op *op, const lrd_verb_rules *rules)
{
	int64_t number;
	if (lrd_verb_is_stub(op, rules)) {
		missing(op, op->reply.cas);
	} else if (op->reply.flags != op->flags || !read_number(&op->reply, &number)
		|| __builtin_add_overflow(number, op->by, &number)) {
		lrd_verb_end(op, LRD_NOT_A_NUMBER);
	} else {
		op->number = number;
		write_over(op, WRITE, number);
	}
}

static void look_reply(lrd_op *op, const lrd_verb_rules *rules)
{
	switch (op->reply.code) {
	case LRD_CODE_OK:
		looked_at(op, rules);
		break;
	case LRD_CODE_MISS:
		missing(op, 0);
		break;
	default:
		lrd_verb_fail(op, false);
	}
}

/* Of WRITE and MAKE. */
static void write_reply(lrd_op *op)
{
	switch (op->reply.code) {
	case LRD_CODE_OK:
		if (op->step == MAKE) {
			op->number = op->initial;
		}
		lrd_verb_end(op, LRD_OK);
		break;
	case LRD_CODE_NOT_STORED:
	case LRD_CODE_EXISTS:
	case LRD_CODE_NOT_FOUND:
		count_again(op);
		break;
	default:
		lrd_verb_fail(op, true);
	}
}

/* ---- past the range and back ---- */

/*
 * Others may have counted on, modulo 2^64 too: then it is still near where we left it, and `by` is taken off. Or it was
 * set anew: then there is nothing to take off.
 */
static void looked_back(lrd_op *op)
{
	int64_t number;
	if (read_number(&op->reply, &number) && (uint64_t) number - op->kept + NEAR < 2 * NEAR) {
		write_over(op, UNDO, (int64_t) ((uint64_t) number - (uint64_t) op->by));
	} else {
		lrd_verb_end(op, LRD_NOT_A_NUMBER);
	}
}

static void undo_reply(lrd_op *op)
{
	bool looked = op->step == LOOK_BACK;
	switch (op->reply.code) {
	case LRD_CODE_OK:
		if (looked) {
			looked_back(op);
		} else {
			lrd_verb_end(op, LRD_NOT_A_NUMBER);
		}
		break;
	case LRD_CODE_MISS:
	case LRD_CODE_NOT_FOUND:
		lrd_verb_end(op, LRD_NOT_A_NUMBER);
		break;
	case LRD_CODE_EXISTS:
		if (lrd_verb_again(op)) {
			look(op, LOOK_BACK);
		}
		break;
	default:
		lrd_verb_fail(op, true);
	}
	if (!op->open && op->failure != LRD_FAILURE_NONE) {
		op->status = LRD_UNKNOWN;   /* what was counted too far may still stand */
	}
}

/* ---- the course ---- */

static void add_number_begin(lrd_op *op, const lrd_verb_rules *rules)
{
	(void) rules;
	count(op);
}

static void add_number_reply(lrd_op *op, const lrd_verb_rules *rules)
{
	switch (op->step) {
	case COUNT:
		count_reply(op);
		break;
	case LOOK:
		look_reply(op, rules);
		break;
	case SIGN:
		/* The sum stands even if this failed; the next process that counts writes the sign. */
		lrd_verb_end(op, LRD_OK);
		break;
	case UNDO:
	case LOOK_BACK:
		undo_reply(op);
		break;
	default:
		write_reply(op);
	}
}

const lrd_verb_course lrd_verb_add_number = {add_number_begin, add_number_reply};

/* ---- without a sign ---- */

static void plain_begin(lrd_op *op, const lrd_verb_rules *rules)
{
	(void) rules;
	uint16_t with = LRD_ASK_VALUE | (op->has_initial ? LRD_WITH_VIVIFY : 0);
	lrd_request *request = lrd_verb_ask(op, COUNT, LRD_MA, with);
	request->mode = op->counts_down ? '-' : '+';
	request->delta = (uint64_t) op->by;
	request->initial = (uint64_t) op->initial;
	request->vivify = op->ttl;
}

static void plain_reply(lrd_op *op, const lrd_verb_rules *rules)
{
	(void) rules;
	int64_t sum;
	switch (op->reply.code) {
	case LRD_CODE_OK:
		if (read_number(&op->reply, &sum)) {
			op->number = sum;
			lrd_verb_end(op, LRD_OK);
		} else {
			lrd_verb_fail(op, true);
		}
		break;
	case LRD_CODE_NOT_FOUND:
		lrd_verb_end(op, LRD_MISS);
		break;
	case LRD_CODE_NOT_A_NUMBER:
		lrd_verb_end(op, LRD_NOT_A_NUMBER);
		break;
	default:
		lrd_verb_fail(op, true);
	}
}

const lrd_verb_course lrd_verb_count = {plain_begin, plain_reply};
