/*
 * What the files of lrd_verb share: how a step asks, how an op ends. Private to them. A course is one kind's machine;
 * op->step belongs to its course, 0 at the beginning. Nothing here owns memory: the bytes that a step makes up lie in
 * op->scratch.
 */
#ifndef LRD_VERB_STEPS_H
#define LRD_VERB_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "lrd_op.h"
#include "lrd_verb.h"

typedef struct lrd_verb_course {
	void (*begin)(lrd_op *op, const lrd_verb_rules *rules);
	void (*reply)(lrd_op *op, const lrd_verb_rules *rules);
} lrd_verb_course;

extern const lrd_verb_course lrd_verb_add_number;
extern const lrd_verb_course lrd_verb_count;
extern const lrd_verb_course lrd_verb_leasing;      /* GET_OR_LEASE, LEASE */
extern const lrd_verb_course lrd_verb_set_leased;
extern const lrd_verb_course lrd_verb_release;
extern const lrd_verb_course lrd_verb_mark_stale;

/* How often a write is begun again because another client changed the key first. */
enum { LRD_VERB_TRIES = 32 };

/* The next request, of op->key, with nothing in it yet but what is asked for. Returns it. */
static inline lrd_request *lrd_verb_ask(lrd_op *op, uint8_t step, lrd_command command, uint16_t with)
{
	op->step = step;
	op->request = (lrd_request) {
		.key = op->key,
		.is_base64 = op->is_base64,
		.command = (uint8_t) command,
		.with = with,
	};
	return &op->request;
}

/* The same, an ms of op->value, op->flags and op->ttl; cas 0: whatever is there. */
lrd_request *lrd_verb_write(lrd_op *op, uint8_t step, char mode, uint64_t cas);

/* The op has its answer. */
static inline void lrd_verb_end(lrd_op *op, lrd_status status)
{
	op->open = false;
	op->status = status;
	op->failure = LRD_FAILURE_NONE;
}

/* The op failed: op->reply is an error, no reply, or one that the request cannot have. */
void lrd_verb_fail(lrd_op *op, bool may_be_done);
/* False: the op was tried LRD_VERB_TRIES times, and has failed. */
bool lrd_verb_again(lrd_op *op);

/* An item's remaining seconds, as a reply tells them, in the form of a request. */
int64_t lrd_verb_same_ttl(int64_t seconds);

/* Puts the value that came into the op's results. */
static inline void lrd_verb_found(lrd_op *op)
{
	op->found = op->reply.has_value ? op->reply.value : NULL;
	op->found_size = op->reply.size;
	op->found_flags = op->reply.flags;
	op->stale = op->reply.stale;
	op->version = op->wants_version || op->kind == LRD_OP_GET_OR_LEASE || op->kind == LRD_OP_VERSION
		? op->reply.cas
		: 0;
	op->number = op->wants_ttl ? lrd_verb_same_ttl(op->reply.ttl) : 0;
}

static inline bool lrd_verb_is_stub(const lrd_op *op, const lrd_verb_rules *rules)
{
	return rules->has_stubs && op->reply.size == 0 && op->reply.flags == 0;
}

#endif
