/*
 * Reads a lane's replies into its ops: which op a reply belongs to, and whether it proves that. For lrd_pool_ask() it
 * reads the lines of an answer instead.
 */
#ifndef LRD_RECEIVE_H
#define LRD_RECEIVE_H

#include "lrd_lane.h"

/* What all lanes of a pool receive with. */
typedef struct lrd_receiver {
	lrd_verb_rules rules;

	/* ---- the run under way: where values go ---- */
	lrd_room room;              /* NULL: no value may come */
	void *context;

	/* ---- lrd_pool_ask(): the answer so far ---- */
	char *answer;
	size_t answer_size, answer_room;
} lrd_receiver;

/* One read and what it brought. *drained: the next read would find nothing. NONE, or why the lane has to be closed. */
lrd_failure lrd_receive(lrd_receiver *receiver, lrd_lane *lane, bool blocks, bool *drained);

/* Forgets the answer, and keeps no more memory for the next one than most answers need. */
void lrd_receiver_trim(lrd_receiver *receiver);

#endif
