/*
 * What each kind of op sends, and what its replies mean. Pure: no I/O and no memory but the op's own, so every course
 * of a verb can be tried with made-up replies.
 *
 * A verb is a small machine: lrd_verb_begin() writes op->request; each reply goes to lrd_verb_reply(), which either
 * ends the op (op->open false, the results set) or writes the next request. Requests of many ops go out together, so a
 * step of a thousand ops is one round trip.
 *
 * A lease of a missing key is an empty item that mg makes with N (a stub). It has size 0 and flags 0, and somebody has
 * won it (W or Z); our empty values have other flags. Every verb takes a stub for a miss. A lease
 * of a present key, fresh or stale, is an item beside it, named by the key's md5 and kept by the same server, that
 * holds the value's version: any write of the key ends it. So W and Z of a stale value decide nothing, and a plain read
 * that takes W takes nothing away.
 */
#ifndef LRD_VERB_H
#define LRD_VERB_H

#include <stdbool.h>

#include "lrd_op.h"

typedef struct lrd_verb_rules {
	bool has_stubs;             /* false: nobody vivifies here, so no step is spent on telling stubs */
} lrd_verb_rules;

/*
 * Writes the first request and sets op->open; or, for a token that can be no lease's, ends the op at once (open false).
 * May be called again for an op that is to be done anew, elsewhere.
 */
void lrd_verb_begin(lrd_op *op, const lrd_verb_rules *rules);

/*
 * After op->reply was set from a reply that proved itself, or with code LRD_CODE_NONE or LRD_CODE_UNANSWERED and
 * op->failure set when there will be none.
 *
 * An op with several steps may have had room for several values; op->found, if it is set in the end, is in the last
 * one.
 */
void lrd_verb_reply(lrd_op *op, const lrd_verb_rules *rules);

/*
 * Whether this op may go out as one key of a classic get: a plain GET without a version, key not in base64. A stub
 * shows there with its size and flags, and a stale value as any other.
 */
bool lrd_verb_is_classic(const lrd_op *op);

/* Whether the present request changes nothing on the server, so that it may be sent a second time. */
static inline bool lrd_verb_only_looks(const lrd_op *op)
{
	const unsigned changes = LRD_WITH_TTL | LRD_WITH_VIVIFY | LRD_WITH_RECACHE;
	return op->request.command == LRD_MG && (op->request.with & changes) == 0;
}

#endif
