#include "php_memcached_count.h"

bool php_memcached_count_check(php_memcached_count *count, bool down)
{
	return php_count_turn(&count->given, down) && php_memcached_ttl(count->given.ttl, 4, &count->seconds);
}

void php_memcached_count_write(const php_memcached_count *count, const php_memcached *memcached, lrd_op *op)
{
	op->by = count->given.by;
	op->has_initial = !count->given.no_initial;
	op->initial = count->given.initial;
	op->ttl = count->seconds;
	op->flags = value_integer_flags(&memcached->format);
}

static void count_one(INTERNAL_FUNCTION_PARAMETERS, bool down)
{
	php_batch_single single;
	zend_string *name;
	php_memcached_count count = {.given = PHP_COUNT_DEFAULTS};

	ZEND_PARSE_PARAMETERS_START(1, 4)
		Z_PARAM_STR(name)
		PHP_COUNT_PARAMETERS(count.given)
	ZEND_PARSE_PARAMETERS_END();

	lrd_op *op = php_memcached_count_check(&count, down)
		? php_batch_begin(&single, ZEND_THIS, name, LRD_OP_ADD_NUMBER)
		: NULL;
	if (op == NULL) {
		RETURN_THROWS();
	}
	php_memcached_count_write(&count, single.batch.memcached, op);
	php_batch_finish_one(&single.batch, return_value);
}

ZEND_METHOD(Larder_Memcached, increment)
{
	count_one(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(Larder_Memcached, decrement)
{
	count_one(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

/* False, with an exception: a key that is there twice would be counted twice and told once. */
static bool each_is_once(const php_batch *batch)
{
	HashTable *seen = zend_new_array(batch->count);
	bool once = true;

	for (uint32_t i = 0; i < batch->count && once; i++) {
		once = zend_hash_add_empty_element(seen, batch->items[i].name) != NULL;
		if (!once) {
			zend_argument_value_error(
				1, "must contain each key once, \"%s\" is there again", ZSTR_VAL(batch->items[i].name));
		}
	}
	zend_array_release(seen);
	return once;
}

static void count_many(INTERNAL_FUNCTION_PARAMETERS, bool down)
{
	HashTable *list;
	php_batch batch;
	php_memcached_count count = {.given = PHP_COUNT_DEFAULTS};

	ZEND_PARSE_PARAMETERS_START(1, 4)
		Z_PARAM_ARRAY_HT(list)
		PHP_COUNT_PARAMETERS(count.given)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_memcached_count_check(&count, down)
		|| !php_batch_open_list(&batch, ZEND_THIS, list, LRD_OP_ADD_NUMBER, 1)) {
		RETURN_THROWS();
	}
	if (!each_is_once(&batch)) {
		php_batch_close(&batch);
		RETURN_THROWS();
	}
	for (uint32_t i = 0; i < batch.count; i++) {
		php_memcached_count_write(&count, batch.memcached, &batch.ops[i]);
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
