/*
 * What the files of value/ know of a plan. All of it lies in request memory and belongs to one plan.
 */
#ifndef VALUE_WORK_H
#define VALUE_WORK_H

#include "value_graph.h"
#include "value_map.h"
#include "zend_smart_str.h"

/*
 * The objects of a value, each once. They are held, so that no other object can take an address before the block is
 * written.
 */
typedef struct value_leaves {
	zend_object **objects;
	size_t count, room;
	value_map numbers;          /* object -> its number, in uses - 1 */
	smart_str serialized;
	bool closed;                /* serialized: one that is not there now came too late */
} value_leaves;

typedef struct value_work {
	zval value;                 /* held */
	value_map memo;
	value_leaves leaves;
	bool placed;                /* memo has the places of an earlier write */
} value_work;

/* The way from the value's top to an element; on the C stack, one for each array. */
typedef struct value_frame {
	const struct value_frame *above;
	const HashTable *table;
	uint32_t position;          /* of the element in table */
	uint32_t depth;
} value_frame;

/* ---- value_walk.c: runs no user code ---- */

/*
 * Sizes what the graph needs (saturating at SIZE_MAX), fills memo and finds the objects. Throws what cannot be stored.
 */
zend_result value_walk_size(value_work *work, size_t *size, bool *mixed);

/* Throws that this object refused, with its path and the pending exception as the previous one. */
void value_walk_blame(value_work *work, const zend_object *object);

/* ---- value_path.c ---- */

typedef enum value_refusal {
	VALUE_REFUSE_RESOURCE,
	VALUE_REFUSE_OBJECT,        /* its class cannot be serialized */
	VALUE_REFUSE_NO_CLASSES,    /* it would come back as an array or a scalar */
	VALUE_REFUSE_INSIDE,        /* something inside it cannot */
	VALUE_REFUSE_CYCLE,
	VALUE_REFUSE_DEPTH,
	VALUE_REFUSE_CHANGED,
	VALUE_REFUSE_TYPE,
} value_refusal;

/* Throws UnstorableValue for the element that frame stands at; NULL is the value itself. value may be NULL. */
void value_refuse(const value_frame *frame, value_refusal why, const zval *value);

/* ---- value_objects.c: runs user code ---- */

/* The object's number, or -1 if leaves are closed and it is not among them. */
zend_long value_leaves_number(value_leaves *leaves, zend_object *object);
/*
 * *refused: the object whose class cannot be serialized, if the engine said so; else NULL, with the exception of user
 * code.
 */
zend_result value_leaves_serialize(value_leaves *leaves, const zend_object **refused);
void value_leaves_free(value_leaves *leaves);

/* The objects, into `objects` (count of them, NULL before); to be destroyed by the caller whatever the answer is. */
zend_result value_leaves_unserialize(zval *objects, size_t count, const char *bytes, size_t size);

#endif
