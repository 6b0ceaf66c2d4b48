/*
 * What lrd_store.h keeps to itself: a process's handle on a store, and the head of the segment's body. For lrd_open.c,
 * lrd_store.c and lrd_report.c.
 */
#ifndef LRD_HANDLE_H
#define LRD_HANDLE_H

#include "lrd_layout.h"
#include "lrd_store.h"

typedef struct lrd_name {
	char bytes[LRD_NAMESPACE_MAX];
	uint8_t size;
} lrd_name;

typedef struct lrd_head {               /* at the start of the body */
	_Alignas(64) lrd_lock lock;         /* for new names */
	_Atomic uint32_t names;             /* grows after the name is written */
	lrd_name name[LRD_NAMESPACES];
} lrd_head;

struct lrd_store {
	lrd_segment segment;
	lrd_layout layout;
	lrd_reader reader;
	lrd_slot *parent;                   /* the slot that a pinned parent had at the fork, */
	uint64_t parent_epoch;              /* and what it was pinned at */
	lrd_head *head;
	char *values;
	uint64_t values_size;
	unsigned lock_ms;
	bool protected;
	lrd_shard shard[LRD_SHARDS_MAX];
};

#endif
