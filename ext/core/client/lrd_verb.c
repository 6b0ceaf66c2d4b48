#include "lrd_verb.h"

#include <stddef.h>

#include "lrd_verb_steps.h"

/* ---- reading and touching ---- */

enum { READ, SEEK, FREE };

static bool touches(const lrd_op *op)
{
	return op->kind == LRD_OP_GET_AND_TOUCH || op->kind == LRD_OP_TOUCH;
}

static void read_ask(lrd_op *op, const lrd_verb_rules *rules)
{
	unsigned with = 0;
	if (op->kind == LRD_OP_GET || op->kind == LRD_OP_GET_AND_TOUCH) {
		with |= LRD_ASK_VALUE | LRD_ASK_FLAGS | (op->wants_version ? LRD_ASK_CAS : 0);
		with |= op->wants_ttl ? LRD_ASK_TTL : 0;
	} else if (rules->has_stubs) {
		with |= LRD_ASK_SIZE | LRD_ASK_FLAGS;
	} else if (op->kind == LRD_OP_HAS) {
		with |= LRD_ASK_SIZE;   /* an mg that asks for nothing is refused by older servers */
	}
	if (op->kind == LRD_OP_VERSION) {
		with |= LRD_ASK_CAS;
	}
	if (touches(op)) {
		with |= LRD_WITH_TTL | (rules->has_stubs ? LRD_ASK_CAS : 0);
	}
	lrd_verb_ask(op, READ, LRD_MG, (uint16_t) with)->ttl = op->ttl;
}

/*
 * A touched stub would outlive its lease, and nobody could win it after a holder that died: so touches look first. A
 * negative ttl may end it, as a delete does.
 */
static void read_begin(lrd_op *op, const lrd_verb_rules *rules)
{
	if (rules->has_stubs && touches(op) && op->ttl >= 0) {
		lrd_verb_ask(op, SEEK, LRD_MG, LRD_ASK_SIZE | LRD_ASK_FLAGS);
	} else {
		read_ask(op, rules);
	}
}

static void read_stub(lrd_op *op)
{
	if (op->step == READ && touches(op) && op->ttl >= 0) {
		lrd_verb_ask(op, FREE, LRD_MD, LRD_WITH_CAS)->cas = op->reply.cas;     /* it came after our look */
	} else {
		lrd_verb_end(op, LRD_MISS);
	}
}

static void read_reply(lrd_op *op, const lrd_verb_rules *rules)
{
	if (op->step == FREE) {
		lrd_verb_end(op, LRD_MISS);
		return;
	}
	switch (op->reply.code) {
	case LRD_CODE_OK:
		if (lrd_verb_is_stub(op, rules)) {
			read_stub(op);
		} else if (op->step == SEEK) {
			read_ask(op, rules);
		} else {
			lrd_verb_found(op);
			lrd_verb_end(op, LRD_OK);
		}
		break;
	case LRD_CODE_MISS:
		lrd_verb_end(op, LRD_MISS);
		break;
	default:
		lrd_verb_fail(op, op->step == READ || op->kind == LRD_OP_GET_AND_TOUCH);
	}
}

static const lrd_verb_course reading = {read_begin, read_reply};

/* ---- deleting ---- */

/* md does not tell whether it was a stub. mg does, and a time that is over removes the item just as well. */
static void delete_begin(lrd_op *op, const lrd_verb_rules *rules)
{
	if (rules->has_stubs) {
		lrd_verb_ask(op, 0, LRD_MG, LRD_ASK_SIZE | LRD_ASK_FLAGS | LRD_WITH_TTL)->ttl = -1;
	} else {
		lrd_verb_ask(op, 0, LRD_MD, 0);
	}
}

static void delete_reply(lrd_op *op, const lrd_verb_rules *rules)
{
	switch (op->reply.code) {
	case LRD_CODE_OK:
		lrd_verb_end(op, lrd_verb_is_stub(op, rules) ? LRD_MISS : LRD_OK);
		break;
	case LRD_CODE_MISS:
	case LRD_CODE_NOT_FOUND:
		lrd_verb_end(op, LRD_MISS);
		break;
	default:
		lrd_verb_fail(op, true);
	}
}

static const lrd_verb_course deleting = {delete_begin, delete_reply};

/* ---- storing ---- */

enum { WRITE, LOOK };

static bool adds_bytes(const lrd_op *op)
{
	return op->kind == LRD_OP_APPEND || op->kind == LRD_OP_PREPEND;
}

/* A write whose key must be there, and for which the server's own condition is not enough. */
static bool looks_first(const lrd_op *op, const lrd_verb_rules *rules)
{
	return (adds_bytes(op) && op->flags != 0) || (rules->has_stubs && (adds_bytes(op) || op->kind == LRD_OP_REPLACE));
}

static void write_value(lrd_op *op, uint64_t cas)
{
	static const char modes[] = {
		[LRD_OP_SET] = 'S',
		[LRD_OP_ADD] = 'E',
		[LRD_OP_REPLACE] = 'R',
		[LRD_OP_CAS] = 'S',
		[LRD_OP_APPEND] = 'A',
		[LRD_OP_PREPEND] = 'P',
	};
	char mode = op->kind == LRD_OP_ADD && cas != 0 ? 'S' : modes[op->kind];
	lrd_request *request = lrd_verb_write(op, WRITE, mode, cas);
	if (adds_bytes(op)) {
		request->with &= (uint16_t) ~LRD_WITH_TTL;
		request->flags = 0;
	}
}

static void look(lrd_op *op)
{
	lrd_verb_ask(op, LOOK, LRD_MG, LRD_ASK_SIZE | LRD_ASK_FLAGS | LRD_ASK_CAS);
}

static void store_begin(lrd_op *op, const lrd_verb_rules *rules)
{
	if (looks_first(op, rules) || (op->kind == LRD_OP_CAS && op->token == 0)) {
		look(op);
	} else {
		write_value(op, op->kind == LRD_OP_CAS ? op->token : 0);
	}
}

static void look_reply(lrd_op *op, const lrd_verb_rules *rules)
{
	bool is_there = op->reply.code == LRD_CODE_OK && !lrd_verb_is_stub(op, rules);
	if (op->reply.code != LRD_CODE_OK && op->reply.code != LRD_CODE_MISS) {
		lrd_verb_fail(op, false);
	} else if (op->kind == LRD_OP_ADD && !is_there) {
		if (lrd_verb_again(op)) {
			write_value(op, op->reply.code == LRD_CODE_OK ? op->reply.cas : 0);
		}
	} else if (op->kind == LRD_OP_ADD || op->kind == LRD_OP_CAS) {
		lrd_verb_end(op, is_there ? LRD_EXISTS : LRD_MISS);
	} else if (!is_there) {
		lrd_verb_end(op, LRD_MISS);
	} else if (adds_bytes(op) && (op->reply.flags & op->flags) != 0) {
		lrd_verb_end(op, LRD_EXISTS);
	} else if (lrd_verb_again(op)) {
		write_value(op, op->reply.cas);
	}
}

/* The server's condition did not hold: of the key, or of the version that was looked at. */
static void write_not_stored(lrd_op *op, const lrd_verb_rules *rules)
{
	bool looked = op->kind != LRD_OP_CAS && (op->request.with & LRD_WITH_CAS) != 0;
	bool is_missing = op->reply.code == LRD_CODE_NOT_FOUND || op->reply.code == LRD_CODE_NOT_STORED;
	if (op->kind == LRD_OP_SET) {
		lrd_verb_fail(op, true);
	} else if (op->kind == LRD_OP_ADD && (looked || rules->has_stubs)) {
		look(op);
	} else if (op->kind == LRD_OP_ADD) {
		lrd_verb_end(op, LRD_EXISTS);
	} else if (is_missing) {
		lrd_verb_end(op, LRD_MISS);
	} else if (looked || rules->has_stubs) {
		look(op);
	} else {
		lrd_verb_end(op, LRD_EXISTS);
	}
}

static void store_reply(lrd_op *op, const lrd_verb_rules *rules)
{
	if (op->step == LOOK) {
		look_reply(op, rules);
		return;
	}
	switch (op->reply.code) {
	case LRD_CODE_OK:
		lrd_verb_end(op, LRD_OK);
		break;
	case LRD_CODE_NOT_STORED:
	case LRD_CODE_NOT_FOUND:
	case LRD_CODE_EXISTS:
		write_not_stored(op, rules);
		break;
	default:
		lrd_verb_fail(op, true);
	}
}

static const lrd_verb_course storing = {store_begin, store_reply};

/* ---- all kinds ---- */

static const lrd_verb_course *course_of(const lrd_op *op)
{
	static const lrd_verb_course *const courses[] = {
		[LRD_OP_GET] = &reading,
		[LRD_OP_GET_AND_TOUCH] = &reading,
		[LRD_OP_HAS] = &reading,
		[LRD_OP_VERSION] = &reading,
		[LRD_OP_TOUCH] = &reading,
		[LRD_OP_DELETE] = &deleting,
		[LRD_OP_SET] = &storing,
		[LRD_OP_ADD] = &storing,
		[LRD_OP_REPLACE] = &storing,
		[LRD_OP_CAS] = &storing,
		[LRD_OP_APPEND] = &storing,
		[LRD_OP_PREPEND] = &storing,
		[LRD_OP_ADD_NUMBER] = &lrd_verb_add_number,
		[LRD_OP_COUNT] = &lrd_verb_count,
		[LRD_OP_GET_OR_LEASE] = &lrd_verb_leasing,
		[LRD_OP_LEASE] = &lrd_verb_leasing,
		[LRD_OP_SET_LEASED] = &lrd_verb_set_leased,
		[LRD_OP_RELEASE] = &lrd_verb_release,
		[LRD_OP_MARK_STALE] = &lrd_verb_mark_stale,
	};
	return courses[op->kind];
}

void lrd_verb_begin(lrd_op *op, const lrd_verb_rules *rules)
{
	op->open = true;
	op->tries = 0;
	op->failure = LRD_FAILURE_NONE;
	op->found = NULL;
	op->found_size = 0;
	op->found_flags = 0;
	op->version = 0;
	op->lease = 0;
	op->number = 0;
	op->stale = false;
	op->kept = 0;
	course_of(op)->begin(op, rules);
}

void lrd_verb_reply(lrd_op *op, const lrd_verb_rules *rules)
{
	course_of(op)->reply(op, rules);
}

bool lrd_verb_is_classic(const lrd_op *op)
{
	return op->kind == LRD_OP_GET && !op->wants_version && !op->is_base64;
}
