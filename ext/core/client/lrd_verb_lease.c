/*
 * Leases. That of a missing key is a stub in its place; its token is the stub's version. That of a present key, whether
 * its value is fresh or marked stale, is a companion item that holds the value's version: its token is the companion's
 * version, and it ends by itself, by a release, or by any write of the key, since then the companion names a version
 * that is no more.
 *
 * The marks W and Z that the server puts on a stale value are only a hint here: any mg takes W, so a plain read would
 * keep it from those who could make the value anew, and nobody would get it back from a process that died.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "lrd_hash.h"
#include "lrd_verb_steps.h"

#define PREFIX "larder:lease:"

enum {
	OF_STUB,        /* a token's two low bits */
	OF_VALUE,

	NAME_SIZE = sizeof(PREFIX) - 1 + 32,
	TEXT_SIZE = 16,
	SPENT_TTL = 2,  /* nobody shall win the key between the lease's end and the write of its holder */
};

static_assert(NAME_SIZE + TEXT_SIZE + 1 <= sizeof(((lrd_op *) NULL)->scratch), "a companion's name and value fit");

static uint64_t token_of(uint64_t cas, unsigned of)
{
	return cas != 0 && cas < UINT64_C(1) << 61 ? cas << 2 | of : 0;
}

static uint64_t cas_of(uint64_t token)
{
	return token >> 2;
}

/* ---- the companion ---- */

static lrd_request *ask_companion(lrd_op *op, uint8_t step, lrd_command command, uint16_t with)
{
	static const char hex[] = "0123456789abcdef";
	unsigned char digest[16];
	lrd_md5(op->key.bytes, op->key.size, digest);
	char *at = op->scratch;
	memcpy(at, PREFIX, sizeof(PREFIX) - 1);
	at += sizeof(PREFIX) - 1;
	for (size_t i = 0; i < sizeof(digest); i++) {
		*at++ = hex[digest[i] >> 4];
		*at++ = hex[digest[i] & 15];
	}
	lrd_request *request = lrd_verb_ask(op, step, command, with);
	request->key = (lrd_slice) {op->scratch, NAME_SIZE};
	request->is_base64 = false;
	return request;
}

/*
 * op->kept is the version that it is to name: all of it in the value, the low half in the flags for those who only want
 * to compare.
 */
static void write_companion(lrd_op *op, uint8_t step, char mode, uint64_t cas, int64_t ttl)
{
	lrd_request *request = ask_companion(op, step, LRD_MS, LRD_ASK_CAS | LRD_WITH_TTL);
	snprintf(op->scratch + NAME_SIZE, TEXT_SIZE + 1, "%016" PRIx64, op->kept);
	request->value = (lrd_slice) {op->scratch + NAME_SIZE, TEXT_SIZE};
	request->flags = (uint32_t) op->kept;
	request->ttl = ttl;
	request->mode = mode;
	if (cas != 0) {
		request->with |= LRD_WITH_CAS;
		request->cas = cas;
	}
}

/* Whether the companion that came is still that of the token; sets op->kept to the version it names. */
static bool read_companion(lrd_op *op)
{
	if (!op->reply.has_value || op->reply.value == NULL || op->reply.size != TEXT_SIZE
		|| op->reply.cas != cas_of(op->token)) {
		return false;
	}
	op->kept = 0;
	for (size_t i = 0; i < TEXT_SIZE; i++) {
		char digit = op->reply.value[i];
		if (digit >= '0' && digit <= '9') {
			op->kept = op->kept << 4 | (uint64_t) (digit - '0');
		} else if (digit >= 'a' && digit <= 'f') {
			op->kept = op->kept << 4 | (uint64_t) (digit - 'a' + 10);
		} else {
			return false;
		}
	}
	return true;
}

/* ---- GET_OR_LEASE and LEASE ---- */

enum { FIRST, FREE, TAKE, PEEK, TAKE_OVER };

static void first(lrd_op *op)
{
	unsigned with = LRD_ASK_FLAGS | LRD_ASK_CAS | LRD_ASK_TTL | LRD_WITH_VIVIFY;
	with |= op->kind == LRD_OP_GET_OR_LEASE ? LRD_ASK_VALUE : LRD_ASK_SIZE;
	lrd_verb_ask(op, FIRST, LRD_MG, (uint16_t) with)->vivify = op->seconds;
}

static void leasing_begin(lrd_op *op, const lrd_verb_rules *rules)
{
	(void) rules;
	first(op);
}

/* Steps from TAKE on are those of a value. */
static void end_held(lrd_op *op, uint64_t token)
{
	op->lease = token;
	if (op->kind == LRD_OP_LEASE) {
		lrd_verb_end(op, token != 0 ? LRD_OK : LRD_BUSY);
	} else {
		lrd_verb_end(op, op->step >= TAKE ? LRD_OK : LRD_MISS);
	}
}

static void end_busy(lrd_op *op)
{
	end_held(op, 0);
}

/*
 * A server without CAS gives its items no numbers, so no token can name a lease. That is not the same as busy: whoever
 * waited would wait for nobody.
 */
static void end_unnumbered(lrd_op *op, bool is_stub)
{
	op->lease_is_lost = true;
	lrd_verb_end(op, is_stub && op->kind == LRD_OP_GET_OR_LEASE ? LRD_MISS : LRD_OK);
}

static void take(lrd_op *op)
{
	if (lrd_verb_again(op)) {
		write_companion(op, TAKE, 'E', 0, op->seconds);
	} else {
		end_busy(op);
	}
}

static void peek(lrd_op *op)
{
	if (lrd_verb_again(op)) {
		ask_companion(op, PEEK, LRD_MG, LRD_ASK_FLAGS | LRD_ASK_CAS);
	} else {
		end_busy(op);
	}
}

static void first_stub(lrd_op *op)
{
	if (op->reply.cas == 0) {
		end_unnumbered(op, true);
	} else if (op->reply.won) {
		end_held(op, token_of(op->reply.cas, OF_STUB));
	} else if (op->reply.ttl == -1 && lrd_verb_again(op)) {
		/* A touch by another client has removed its expiry, so no process would ever win this lease. */
		lrd_request *request = lrd_verb_ask(op, FREE, LRD_MD, LRD_WITH_CAS);
		request->cas = op->reply.cas;
	} else {
		end_busy(op);
	}
}

static void first_reply(lrd_op *op, const lrd_verb_rules *rules)
{
	if (op->reply.code != LRD_CODE_OK) {
		lrd_verb_fail(op, true);
	} else if (lrd_verb_is_stub(op, rules)) {
		first_stub(op);
	} else {
		op->kept = op->reply.cas;
		if (op->kind == LRD_OP_GET_OR_LEASE) {
			lrd_verb_found(op);
		}
		if (op->kind == LRD_OP_GET_OR_LEASE && !op->stale) {
			lrd_verb_end(op, LRD_OK);
		} else if (op->reply.cas == 0) {
			end_unnumbered(op, false);
		} else if (op->reply.stale && op->reply.waiting) {
			peek(op);
		} else {
			take(op);
		}
	}
}

/*
 * A companion that names an older version is a lease that a write has ended. One that names a newer one: ours is the
 * outdated view.
 */
static void peek_reply(lrd_op *op)
{
	if (op->reply.code == LRD_CODE_MISS) {
		take(op);
	} else if ((int32_t) (op->reply.flags - (uint32_t) op->kept) < 0) {
		write_companion(op, TAKE_OVER, 'S', op->reply.cas, op->seconds);
	} else {
		end_busy(op);
	}
}

/* A value that was read is returned even if its lease cannot be had. */
static void companion_failed(lrd_op *op)
{
	if (op->kind == LRD_OP_GET_OR_LEASE && op->step >= TAKE) {
		end_busy(op);
	} else {
		lrd_verb_fail(op, op->step != PEEK);
	}
}

static void leasing_reply(lrd_op *op, const lrd_verb_rules *rules)
{
	lrd_code code = (lrd_code) op->reply.code;
	if (op->step == FIRST) {
		first_reply(op, rules);
	} else if (op->step == FREE && (code == LRD_CODE_OK || code == LRD_CODE_NOT_FOUND || code == LRD_CODE_EXISTS)) {
		first(op);
	} else if (op->step == PEEK && (code == LRD_CODE_OK || code == LRD_CODE_MISS)) {
		peek_reply(op);
	} else if ((op->step == TAKE || op->step == TAKE_OVER) && code == LRD_CODE_OK) {
		end_held(op, token_of(op->reply.cas, OF_VALUE));
	} else if ((op->step == TAKE && code == LRD_CODE_NOT_STORED)
		|| (op->step == TAKE_OVER && code == LRD_CODE_EXISTS)) {
		peek(op);
	} else if (op->step == TAKE_OVER && code == LRD_CODE_NOT_FOUND) {
		take(op);
	} else {
		companion_failed(op);
	}
}

const lrd_verb_course lrd_verb_leasing = {leasing_begin, leasing_reply};

/* ---- SET_LEASED and RELEASE ---- */

enum { FIND, SPEND, COMPARE, FINISH };

/* Begins both. False: no lease has this token. */
static bool find(lrd_op *op)
{
	if (cas_of(op->token) == 0 || (op->token & 3) > OF_VALUE) {
		lrd_verb_end(op, LRD_LOST);
		return false;
	}
	if ((op->token & 3) == OF_VALUE) {
		ask_companion(op, FIND, LRD_MG, LRD_ASK_VALUE | LRD_ASK_CAS);
	}
	return true;
}

static void find_reply(lrd_op *op)
{
	if (op->reply.code == LRD_CODE_MISS || (op->reply.code == LRD_CODE_OK && !read_companion(op))) {
		lrd_verb_end(op, LRD_LOST);
	} else if (op->reply.code != LRD_CODE_OK) {
		lrd_verb_fail(op, false);
	} else if (op->kind == LRD_OP_SET_LEASED) {
		/* From here on the token is worth nothing, so of two that store or release by it one does. */
		write_companion(op, SPEND, 'S', cas_of(op->token), SPENT_TTL);
	} else {
		lrd_verb_ask(op, COMPARE, LRD_MG, LRD_ASK_SIZE | LRD_ASK_CAS);
	}
}

/* Of a step that has come too late when its version is gone. */
static bool held_its_version(lrd_op *op, bool may_be_done)
{
	switch (op->reply.code) {
	case LRD_CODE_OK:
		return true;
	case LRD_CODE_EXISTS:
	case LRD_CODE_NOT_FOUND:
		lrd_verb_end(op, LRD_LOST);
		return false;
	default:
		lrd_verb_fail(op, may_be_done);
		return false;
	}
}

static void set_leased_begin(lrd_op *op, const lrd_verb_rules *rules)
{
	(void) rules;
	if (find(op) && (op->token & 3) == OF_STUB) {
		lrd_verb_write(op, FINISH, 'S', cas_of(op->token));
	}
}

static void set_leased_reply(lrd_op *op, const lrd_verb_rules *rules)
{
	(void) rules;
	if (op->step == FIND) {
		find_reply(op);
	} else if (held_its_version(op, op->step == FINISH)) {
		if (op->step == SPEND) {
			lrd_verb_write(op, FINISH, 'S', op->kept);
		} else {
			lrd_verb_end(op, LRD_OK);
		}
	}
}

const lrd_verb_course lrd_verb_set_leased = {set_leased_begin, set_leased_reply};

static void release_begin(lrd_op *op, const lrd_verb_rules *rules)
{
	(void) rules;
	if (find(op) && (op->token & 3) == OF_STUB) {
		lrd_verb_ask(op, FINISH, LRD_MD, LRD_WITH_CAS)->cas = cas_of(op->token);
	}
}

static void release_reply(lrd_op *op, const lrd_verb_rules *rules)
{
	(void) rules;
	if (op->step == FIND) {
		find_reply(op);
	} else if (op->step == COMPARE) {
		if (op->reply.code == LRD_CODE_OK && op->reply.cas == op->kept) {
			ask_companion(op, FINISH, LRD_MD, LRD_WITH_CAS)->cas = cas_of(op->token);
		} else if (op->reply.code == LRD_CODE_OK || op->reply.code == LRD_CODE_MISS) {
			lrd_verb_end(op, LRD_LOST);
		} else {
			lrd_verb_fail(op, false);
		}
	} else if (held_its_version(op, true)) {
		lrd_verb_end(op, LRD_OK);
	}
}

const lrd_verb_course lrd_verb_release = {release_begin, release_reply};

/* ---- MARK_STALE ---- */

enum { LOOK, MARK, DROP_STUB };

static void look(lrd_op *op)
{
	lrd_verb_ask(op, LOOK, LRD_MG, LRD_ASK_SIZE | LRD_ASK_FLAGS | LRD_ASK_CAS);
}

static void mark_stale_begin(lrd_op *op, const lrd_verb_rules *rules)
{
	(void) rules;
	look(op);
}

/* A value in the making for a missing key is made from old data: its lease ends, as by a delete. */
static void mark(lrd_op *op, const lrd_verb_rules *rules)
{
	bool is_stub = lrd_verb_is_stub(op, rules);
	lrd_request *request = lrd_verb_ask(op, is_stub ? DROP_STUB : MARK, LRD_MD, LRD_WITH_CAS);
	request->cas = op->reply.cas;
	if (!is_stub) {
		request->with |= LRD_WITH_STALE;
		if (op->ttl != 0) {
			request->with |= LRD_WITH_TTL;
			request->ttl = op->ttl;
		}
	}
}

static void mark_stale_reply(lrd_op *op, const lrd_verb_rules *rules)
{
	bool looked = op->step == LOOK;
	switch (op->reply.code) {
	case LRD_CODE_OK:
		if (looked) {
			mark(op, rules);
		} else {
			lrd_verb_end(op, op->step == MARK ? LRD_OK : LRD_MISS);
		}
		break;
	case LRD_CODE_MISS:
	case LRD_CODE_NOT_FOUND:
		lrd_verb_end(op, LRD_MISS);
		break;
	case LRD_CODE_EXISTS:
		if (lrd_verb_again(op)) {
			look(op);
		}
		break;
	default:
		lrd_verb_fail(op, !looked);
	}
}

const lrd_verb_course lrd_verb_mark_stale = {mark_stale_begin, mark_stale_reply};
