#include "php_shared_memory.h"

#include <math.h>
#include <time.h>

#include "../value/value_graph.h"
#include "php_outcome.h"

#define COUNTER_TRIES 8         /* increment() with a start value, against others that delete the key all the time */

/* What a ttl means. `over`: the value is to be gone at once. */
typedef struct lifetime {
	uint64_t expires_ms;    /* 0: never */
	bool over;
} lifetime;

static uint64_t now_ms(void)
{
	struct timespec now;

	/* Not lrd_clock's coarse time, by which it ends: started by that too, a ttl could end a tick early. */
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000;
}

/* False, with an exception. */
static bool lifetime_of(php_ttl ttl, uint32_t argument, lifetime *life)
{
	const double never = 9e15;      /* ms; further away than any clock will see */

	*life = (lifetime) {0};
	if (ttl.none) {
		return true;
	}
	if (!php_ttl_check(ttl, argument)) {
		return false;
	}
	double ms = ceil(ttl.seconds * 1000.0);
	life->over = ttl.seconds <= 0.0;
	if (!life->over && ms < never) {
		life->expires_ms = now_ms() + (uint64_t) ms;
	}
	return true;
}

/*
 * From draft to publish nothing of anybody's code runs, and nothing can fail in the engine: no draft is ever left
 * behind.
 */
static lrd_status publish(lrd_key key, const value_plan *plan, const lrd_value *value)
{
	lrd_draft draft;
	lrd_status status;

	php_segment_refresh();
	if (plan->size == 0 || plan->type == VALUE_TEXT) {
		return lrd_store_put(LARDER_G(store), key, plan->text, plan->size, value, NULL);
	}
	status = lrd_store_draft(LARDER_G(store), key, plan->size, &draft);
	if (status != LRD_OK) {
		return status;
	}
	if (!value_plan_write(plan, draft.bytes, plan->size, LARDER_G(shift))) {
		lrd_store_abandon(LARDER_G(store), &draft);
		return LRD_TOO_LARGE;
	}
	return lrd_store_publish(LARDER_G(store), key, &draft, value, NULL);
}

/* Whether it is worth taking room, which may evict others. */
static lrd_status would(lrd_key key, lrd_condition condition, uint64_t token)
{
	if (condition == LRD_ALWAYS) {
		return LRD_OK;
	}
	if (!php_segment_enter()) {
		return LRD_NO_SLOT;
	}
	lrd_status status = lrd_store_would(LARDER_G(store), key, condition, token);
	php_segment_leave();
	return status;
}

/* False, with an exception: the value cannot be stored. */
static bool write_value(
	lrd_key key, zval *given, lifetime life, lrd_condition condition, uint64_t token, lrd_status *status)
{
	value_plan plan;

	if (value_plan_make(&plan, given) == FAILURE) {
		return false;
	}
	if (life.over && condition == LRD_ALWAYS) {
		*status = lrd_store_delete(LARDER_G(store), key);
		*status = *status == LRD_MISS ? LRD_OK : *status;
	} else if ((*status = would(key, condition, token)) == LRD_OK) {
		lrd_value value = {
			.type = plan.type,
			.word = plan.word,
			.expires_ms = life.expires_ms,
			.condition = condition,
			.token = token,
		};
		value_plan none = {.type = VALUE_NULL};
		if (life.over) {
			/* One that expired long ago: checked and gone in one step. */
			value.type = VALUE_NULL;
			value.expires_ms = 1;
		}
		*status = publish(key, life.over ? &none : &plan, &value);
	}
	value_plan_free(&plan);
	return true;
}

static void write_and_return(zval *return_value, const zval *object, const php_write_arguments *given,
	uint32_t ttl_argument, lrd_condition condition)
{
	lifetime life;
	lrd_status status;

	if (!lifetime_of(given->ttl, ttl_argument, &life)) {
		RETURN_THROWS();
	}
	const php_shared_memory *memory = php_shared_memory_for(object, given->name, 1);
	if (memory == NULL || !write_value(php_shared_memory_key(memory, given->name), given->value, life, condition,
			(uint64_t) given->token, &status)) {
		RETURN_THROWS();
	}
	php_outcome_from(status, return_value);
}

ZEND_METHOD(Larder_SharedMemory, set)
{
	php_write_arguments given;

	if (!php_arguments_of_set(execute_data, &given)) {
		RETURN_THROWS();
	}
	write_and_return(return_value, ZEND_THIS, &given, 3, given.no_token ? LRD_ALWAYS : LRD_IF_LEASED);
}

static void write_if(INTERNAL_FUNCTION_PARAMETERS, lrd_condition condition)
{
	php_write_arguments given;

	if (!php_arguments_of_write_if(execute_data, &given)) {
		RETURN_THROWS();
	}
	write_and_return(return_value, ZEND_THIS, &given, 3, condition);
}

ZEND_METHOD(Larder_SharedMemory, add)
{
	write_if(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_IF_MISSING);
}

ZEND_METHOD(Larder_SharedMemory, replace)
{
	write_if(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_IF_THERE);
}

ZEND_METHOD(Larder_SharedMemory, cas)
{
	php_write_arguments given;

	if (!php_arguments_of_cas(execute_data, &given)) {
		RETURN_THROWS();
	}
	write_and_return(return_value, ZEND_THIS, &given, 4, LRD_IF_VERSION);
}

/* The outcome of one of many, by key. */
static void add_outcome(HashTable *outcomes, zend_string *name, lrd_status status)
{
	zval outcome;

	php_outcome_from(status, &outcome);
	zend_symtable_update(outcomes, name, &outcome);
}

ZEND_METHOD(Larder_SharedMemory, setMultiple)
{
	HashTable *values;
	php_ttl ttl;
	lifetime life;
	zend_ulong index;
	zend_string *name;
	zval *value;

	if (!php_arguments_of_many(execute_data, &values, &ttl)) {
		RETURN_THROWS();
	}
	const php_shared_memory *memory = php_shared_memory_of(ZEND_THIS);
	if (memory == NULL || !php_shared_memory_check_keys(values, true, 1) || !lifetime_of(ttl, 2, &life)) {
		RETURN_THROWS();
	}
	HashTable *outcomes = zend_new_array(zend_hash_num_elements(values));
	ZEND_HASH_FOREACH_KEY_VAL(values, index, name, value) {
		zend_string *bytes = name != NULL ? zend_string_copy(name) : zend_long_to_str((zend_long) index);
		lrd_status status;
		bool storable = write_value(php_shared_memory_key(memory, bytes), value, life, LRD_ALWAYS, 0, &status);
		if (storable) {
			add_outcome(outcomes, bytes, status);
		}
		zend_string_release(bytes);
		if (!storable) {
			zend_array_release(outcomes);
			RETURN_THROWS();
		}
	} ZEND_HASH_FOREACH_END();
	RETURN_ARR(outcomes);
}

ZEND_METHOD(Larder_SharedMemory, delete)
{
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	const php_shared_memory *memory = php_shared_memory_for(ZEND_THIS, name, 1);
	if (memory == NULL) {
		RETURN_THROWS();
	}
	php_outcome_from(lrd_store_delete(LARDER_G(store), php_shared_memory_key(memory, name)), return_value);
}

ZEND_METHOD(Larder_SharedMemory, deleteMultiple)
{
	HashTable *list;
	zval *element;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(list)
	ZEND_PARSE_PARAMETERS_END();

	const php_shared_memory *memory = php_shared_memory_of(ZEND_THIS);
	if (memory == NULL || !php_shared_memory_check_keys(list, false, 1)) {
		RETURN_THROWS();
	}
	array_init_size(return_value, zend_hash_num_elements(list));
	ZEND_HASH_FOREACH_VAL(list, element) {
		zend_string *name = zval_get_string(element);
		add_outcome(
			Z_ARRVAL_P(return_value), name, lrd_store_delete(LARDER_G(store), php_shared_memory_key(memory, name)));
		zend_string_release(name);
	} ZEND_HASH_FOREACH_END();
}

ZEND_METHOD(Larder_SharedMemory, touch)
{
	zend_string *name;
	php_ttl ttl;
	lifetime life;

	if (!php_arguments_of_touch(execute_data, &name, &ttl)) {
		RETURN_THROWS();
	}
	const php_shared_memory *memory = php_shared_memory_for(ZEND_THIS, name, 1);
	if (memory == NULL || !lifetime_of(ttl, 2, &life)) {
		RETURN_THROWS();
	}
	lrd_store *store = LARDER_G(store);
	lrd_key key = php_shared_memory_key(memory, name);
	php_outcome_from(
		life.over ? lrd_store_delete(store, key) : lrd_store_touch(store, key, life.expires_ms), return_value);
}

/*
 * Stores the initial value where there is no counter. The second of two processes that do so adds to it instead. Never
 * inlined: it happens once for each counter.
 */
static zend_never_inline lrd_status start_counter(
	lrd_key key, zend_long by, zend_long initial, lifetime life, int64_t *sum)
{
	for (int tries = 0; tries < COUNTER_TRIES; tries++) {
		lrd_value value = {
			.type = VALUE_INT,
			.word = (uint64_t) initial,
			.expires_ms = life.over ? 1 : life.expires_ms,
			.condition = LRD_IF_MISSING,
		};
		value_plan plan = {.type = VALUE_INT};
		lrd_status status = publish(key, &plan, &value);
		if (status != LRD_EXISTS) {
			*sum = initial;
			return status;
		}
		status = lrd_store_increment(LARDER_G(store), key, by, sum);
		if (status != LRD_MISS) {
			return status;
		}
	}
	return LRD_TIMEOUT;
}

static void count_and_return(INTERNAL_FUNCTION_PARAMETERS, bool down)
{
	zend_string *name;
	php_count_arguments given = PHP_COUNT_DEFAULTS;
	lifetime life;
	int64_t sum;

	ZEND_PARSE_PARAMETERS_START(1, 4)
		Z_PARAM_STR(name)
		PHP_COUNT_PARAMETERS(given)
	ZEND_PARSE_PARAMETERS_END();

	const php_shared_memory *memory = php_shared_memory_for(ZEND_THIS, name, 1);
	if (memory == NULL || !lifetime_of(given.ttl, 4, &life) || !php_count_turn(&given, down)) {
		RETURN_THROWS();
	}
	lrd_key key = php_shared_memory_key(memory, name);
	lrd_status status = lrd_store_increment(LARDER_G(store), key, given.by, &sum);
	if (UNEXPECTED(status == LRD_MISS) && !given.no_initial) {
		status = start_counter(key, given.by, given.initial, life, &sum);
	}
	if (EXPECTED(status == LRD_OK)) {
		RETURN_LONG((zend_long) sum);
	}
	php_outcome_from(status, return_value);
}

ZEND_METHOD(Larder_SharedMemory, increment)
{
	count_and_return(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(Larder_SharedMemory, decrement)
{
	count_and_return(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

ZEND_METHOD(Larder_SharedMemory, clear)
{
	uint64_t removed;

	ZEND_PARSE_PARAMETERS_NONE();

	const php_shared_memory *memory = php_shared_memory_of(ZEND_THIS);
	if (memory == NULL) {
		RETURN_THROWS();
	}
	php_outcome_from(lrd_store_clear(LARDER_G(store), &memory->space, &removed), return_value);
}
