/*
 * The walk that sizes a value. It runs no user code, and so does all that follows it until the block is written: writer
 * and walk see the same graph. Objects are serialized between two walks, of which the second is the one that counts.
 */
#include "value_layout.h"
#include "value_string.h"
#include "value_work.h"

typedef struct value_walk {
	value_work *work;
	const zend_object *blamed;  /* NULL: nobody */
	size_t size;
	bool mixed;                 /* an object was met since this was last cleared */
} value_walk;

static zend_always_inline void add_size(value_walk *walk, size_t bytes)
{
	walk->size = UNEXPECTED(bytes > SIZE_MAX - walk->size) ? SIZE_MAX : walk->size + bytes;
}

static zend_always_inline void walk_string(value_walk *walk, const zend_string *string)
{
	if (value_string_may_repeat(string)) {
		value_seen *seen = value_map_add(&walk->work->memo, string);

		if (seen->uses++ > 0) {
			seen->uses = 2;
			return;
		}
	}
	add_size(walk, value_string_bytes(ZSTR_LEN(string)));
}

static bool walk_object(value_walk *walk, const zval *value, const value_frame *frame)
{
	zend_object *object = Z_OBJ_P(value);

	walk->mixed = true;
	if (walk->blamed == object) {
		value_refuse(frame, VALUE_REFUSE_INSIDE, value);
		return false;
	}
	if (object->ce->ce_flags & ZEND_ACC_NOT_SERIALIZABLE) {
		value_refuse(frame, VALUE_REFUSE_OBJECT, value);
		return false;
	}
	if (value_leaves_number(&walk->work->leaves, object) < 0) {
		value_refuse(frame, VALUE_REFUSE_CHANGED, value);
		return false;
	}
	return true;
}

static bool walk_array(value_walk *walk, const HashTable *table, const value_frame *frame, bool by_reference);

/* Any value but an undefined one; scalars need no bytes besides their zval. */
static zend_always_inline bool walk_value(value_walk *walk, const zval *value, const value_frame *frame)
{
	bool by_reference = false;

	if (UNEXPECTED(Z_TYPE_P(value) == IS_REFERENCE)) {
		value = Z_REFVAL_P(value);
		by_reference = true;
	}
	if (Z_TYPE_P(value) <= IS_DOUBLE) {
		return true;
	}
	switch (Z_TYPE_P(value)) {
		case IS_STRING:
			walk_string(walk, Z_STR_P(value));
			return true;
		case IS_ARRAY:
			return walk_array(walk, Z_ARR_P(value), frame, by_reference);
		case IS_OBJECT:
			return walk_object(walk, value, frame);
		case IS_RESOURCE:
			value_refuse(frame, VALUE_REFUSE_RESOURCE, value);
			return false;
		default:
			value_refuse(frame, VALUE_REFUSE_TYPE, value);
			return false;
	}
}

static bool walk_elements(value_walk *walk, value_frame *frame)
{
	const HashTable *table = frame->table;

	if (HT_IS_PACKED(table)) {
		value_slot *slots = value_slots(table);

		for (uint32_t i = 0; i < table->nNumUsed; i++) {
			frame->position = i;
			if (!walk_value(walk, value_slot_zval(&slots[i]), frame)) {
				return false;
			}
		}
		return true;
	}
	for (uint32_t i = 0; i < table->nNumUsed; i++) {
		const Bucket *bucket = &table->arData[i];
		const zval *value = &bucket->val;

		if (UNEXPECTED(Z_TYPE_P(value) == IS_INDIRECT)) {
			value = Z_INDIRECT_P(value);
		}
		if (UNEXPECTED(Z_TYPE_P(value) == IS_UNDEF)) {
			continue;
		}
		if (bucket->key) {
			walk_string(walk, bucket->key);
		}
		frame->position = i;
		if (!walk_value(walk, value, frame)) {
			return false;
		}
	}
	return true;
}

static bool walk_array(value_walk *walk, const HashTable *table, const value_frame *above, bool by_reference)
{
	/* A cycle passes through a reference, whose array may well have a refcount of 1. */
	bool repeats = by_reference || value_array_may_repeat(table);
	value_frame frame = {.above = above, .table = table, .depth = above ? above->depth + 1 : 1};
	bool mixed_before = walk->mixed;

	if (repeats) {
		value_seen *seen = value_map_add(&walk->work->memo, table);

		if (seen->open) {
			value_refuse(above, VALUE_REFUSE_CYCLE, NULL);
			return false;
		}
		if (seen->uses++ > 0) {
			seen->uses = 2;
			walk->mixed |= seen->mixed;
			return true;
		}
		seen->open = true;
	}
	if (frame.depth > VALUE_DEPTH_MAX) {
		value_refuse(above, VALUE_REFUSE_DEPTH, NULL);
		return false;
	}
	add_size(walk, value_shape_of(table).bytes);
	walk->mixed = false;
	if (!walk_elements(walk, &frame)) {
		return false;
	}
	if (repeats) {
		value_seen *seen = value_map_find(&walk->work->memo, table);

		seen->open = false;
		seen->mixed = walk->mixed;
	}
	walk->mixed |= mixed_before;
	return true;
}

zend_result value_walk_size(value_work *work, size_t *size, bool *mixed)
{
	value_walk walk = {.work = work};

	value_map_free(&work->memo);
	if (!walk_value(&walk, &work->value, NULL)) {
		return FAILURE;
	}
	*size = walk.size;
	*mixed = walk.mixed;
	return SUCCESS;
}

void value_walk_blame(value_work *work, const zend_object *object)
{
	value_walk walk = {.work = work, .blamed = object};

	value_map_free(&work->memo);
	if (walk_value(&walk, &work->value, NULL)) {
		value_refuse(NULL, VALUE_REFUSE_CHANGED, NULL);
	}
}
