/*
 * Plans. A value over the store's limits is planned like any other and refused there: size is exact, or SIZE_MAX where
 * it would not fit into a size_t.
 */
#include "value_layout.h"
#include "value_string.h"
#include "value_work.h"

/* The size of an array or object. Runs user code if there are objects in it. */
static zend_result plan_graph(value_plan *plan)
{
	value_work *work = plan->work;
	const zend_object *refused;
	bool mixed;

	if (value_walk_size(work, &plan->size, &mixed) != SUCCESS) {
		return FAILURE;
	}
	plan->type = VALUE_ARRAY;
	if (!mixed) {
		return SUCCESS;
	}
	/* Serializing may have changed the graph, through references in it: only what is there afterwards is stored. */
	if (value_leaves_serialize(&work->leaves, &refused) != SUCCESS) {
		if (refused) {
			value_walk_blame(work, refused);
		}
		return FAILURE;
	}
	if (value_walk_size(work, &plan->size, &mixed) != SUCCESS) {
		return FAILURE;
	}
	if (mixed) {
		size_t objects = work->leaves.serialized.s ? (ZSTR_LEN(work->leaves.serialized.s) + 7) & ~(size_t)7 : 0;
		size_t extra = sizeof(value_mixed) + objects;

		plan->type = VALUE_MIXED;
		plan->size = plan->size > SIZE_MAX - extra ? SIZE_MAX : plan->size + extra;
	}
	return SUCCESS;
}

zend_result value_plan_make(value_plan *plan, zval *value)
{
	memset(plan, 0, sizeof(*plan));
	ZVAL_DEREF(value);
	switch (Z_TYPE_P(value)) {
		case IS_UNDEF:
		case IS_NULL:
			plan->type = VALUE_NULL;
			return SUCCESS;
		case IS_FALSE:
			plan->type = VALUE_FALSE;
			return SUCCESS;
		case IS_TRUE:
			plan->type = VALUE_TRUE;
			return SUCCESS;
		case IS_LONG:
			plan->type = VALUE_INT;
			plan->word = (uint64_t)(int64_t)Z_LVAL_P(value);
			return SUCCESS;
		case IS_DOUBLE:
			plan->type = VALUE_FLOAT;
			memcpy(&plan->word, &Z_DVAL_P(value), sizeof(plan->word));
			return SUCCESS;
		case IS_STRING:
			if (Z_STRLEN_P(value) >= VALUE_STRING_SHARED) {
				break;
			}
			plan->type = VALUE_TEXT;
			plan->text = Z_STRVAL_P(value);
			plan->size = Z_STRLEN_P(value);
			return SUCCESS;
		default:
			break;
	}
	plan->work = ecalloc(1, sizeof(*plan->work));
	ZVAL_COPY(&plan->work->value, value);
	if (Z_TYPE_P(value) == IS_STRING) {
		plan->type = VALUE_STRING;
		plan->size = value_string_bytes(Z_STRLEN_P(value));
		return SUCCESS;
	}
	if (plan_graph(plan) != SUCCESS) {
		value_plan_free(plan);
		return FAILURE;
	}
	return SUCCESS;
}

void value_plan_free(value_plan *plan)
{
	value_work *work = plan->work;

	plan->work = NULL;
	if (!work) {
		return;
	}
	value_map_free(&work->memo);
	value_leaves_free(&work->leaves);
	zval_ptr_dtor(&work->value);
	efree(work);
}

size_t value_string_largest(size_t bytes)
{
	size_t whole = bytes & ~(size_t)7;

	return whole > value_string_bytes(0) ? whole - _ZSTR_HEADER_SIZE - 1 : 0;
}
