#include "php_memcached_count.h"

bool php_memcached_step_check(php_memcached_step *step, bool down)
{
	if (down && step->by == ZEND_LONG_MIN) {
		zend_argument_value_error(2, "must be greater than PHP_INT_MIN");
		return false;
	}
	step->by = down ? -step->by : step->by;
	return php_memcached_ttl(step->ttl, step->no_ttl, 4, &step->seconds);
}

void php_memcached_step_write(const php_memcached_step *step, const php_memcached *memcached, lrd_op *op)
{
	op->by = step->by;
	op->has_initial = !step->no_initial;
	op->initial = step->initial;
	op->ttl = step->seconds;
	op->flags = value_integer_flags(&memcached->format);
}

static void count(INTERNAL_FUNCTION_PARAMETERS, bool down)
{
	php_batch_single single;
	zend_string *name;
	php_memcached_step step = {.by = 1, .no_initial = true, .no_ttl = true};

	ZEND_PARSE_PARAMETERS_START(1, 4)
		Z_PARAM_STR(name)
		PHP_MEMCACHED_STEP_PARAMETERS(step)
	ZEND_PARSE_PARAMETERS_END();

	lrd_op *op = php_memcached_step_check(&step, down) ? php_batch_begin(&single, ZEND_THIS, name, LRD_OP_ADD_NUMBER) : NULL;
	if (op == NULL) {
		RETURN_THROWS();
	}
	php_memcached_step_write(&step, single.batch.memcached, op);
	php_batch_finish_one(&single.batch, return_value);
}

ZEND_METHOD(Larder_Memcached, increment)
{
	count(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(Larder_Memcached, decrement)
{
	count(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

/* False, with an exception: a key that is there twice would be counted twice and told once. */
static bool each_is_once(const php_batch *batch)
{
	HashTable *seen = zend_new_array(batch->count);
	bool once = true;

	for (uint32_t i = 0; i < batch->count && once; i++) {
		once = zend_hash_add_empty_element(seen, batch->items[i].name) != NULL;
		if (!once) {
			zend_argument_value_error(1, "must contain each key once, \"%s\" is there again", ZSTR_VAL(batch->items[i].name));
		}
	}
	zend_array_release(seen);
	return once;
}

static void count_many(INTERNAL_FUNCTION_PARAMETERS, bool down)
{
	HashTable *list;
	php_batch batch;
	php_memcached_step step = {.by = 1, .no_initial = true, .no_ttl = true};

	ZEND_PARSE_PARAMETERS_START(1, 4)
		Z_PARAM_ARRAY_HT(list)
		PHP_MEMCACHED_STEP_PARAMETERS(step)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_memcached_step_check(&step, down) || !php_batch_open_list(&batch, ZEND_THIS, list, LRD_OP_ADD_NUMBER, 1)) {
		RETURN_THROWS();
	}
	if (!each_is_once(&batch)) {
		php_batch_close(&batch);
		RETURN_THROWS();
	}
	for (uint32_t i = 0; i < batch.count; i++) {
		php_memcached_step_write(&step, batch.memcached, &batch.ops[i]);
	}
	php_batch_finish(&batch, return_value);
}

ZEND_METHOD(Larder_Memcached, incrementMultiple)
{
	count_many(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(Larder_Memcached, decrementMultiple)
{
	count_many(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}
