#include "php_shared_memory.h"

#include "zend_closures.h"
#include "zend_exceptions.h"

#include "../core/base/lrd_clock.h"
#include "../value/value_graph.h"
#include "php_answer.h"
#include "php_exception.h"
#include "php_failure.h"

_Static_assert(VALUE_INT == LRD_TYPE_INT && VALUE_TEXT == LRD_TYPE_TEXT, "the store knows these two");

zend_class_entry *php_shared_memory_ce;
static zend_object_handlers handlers;

static zend_object *create_object(zend_class_entry *ce)
{
	return php_object_make(ce, sizeof(php_shared_memory), XtOffsetOf(php_shared_memory, std), &handlers);
}

static void free_object(zend_object *object)
{
	php_shared_memory *memory = PHP_OBJECT_FROM(php_shared_memory, object);

	if (memory->name != NULL) {
		zend_string_release(memory->name);
	}
	zval_ptr_dtor(&memory->report);
	zend_object_std_dtor(object);
}

/* The report may hold what holds this object. */
static HashTable *held_by(zend_object *object, zval **table, int *count)
{
	php_shared_memory *memory = PHP_OBJECT_FROM(php_shared_memory, object);

	*table = &memory->report;
	*count = Z_ISUNDEF(memory->report) ? 0 : 1;
	return zend_std_get_properties(object);
}

void php_shared_memory_init(void)
{
	php_object_init(
		php_shared_memory_ce, &handlers, XtOffsetOf(php_shared_memory, std), create_object, free_object);
	handlers.get_gc = held_by;
}

/* False, with an exception. */
static bool namespace_is_valid(const zend_string *name, bool given)
{
	if (memchr(ZSTR_VAL(name), '\0', ZSTR_LEN(name)) != NULL) {
		zend_argument_value_error(1, "must not contain any null bytes");
		return false;
	}
	if (ZSTR_LEN(name) <= LRD_NAMESPACE_MAX) {
		return true;
	}
	if (given) {
		zend_argument_value_error(1, "must be at most %u bytes long", LRD_NAMESPACE_MAX);
	} else {
		zend_value_error("larder.namespace must be at most %u bytes long", LRD_NAMESPACE_MAX);
	}
	return false;
}

void php_shared_memory_refuse(void)
{
	zend_throw_exception_ex(php_exception_unavailable_ce, 0, "There is no shared memory: %s", php_segment_failure());
}

/* False, with an exception. */
static bool store_is_there(void)
{
	if (LARDER_G(store) == NULL) {
		php_shared_memory_refuse();
	}
	return LARDER_G(store) != NULL;
}

ZEND_METHOD(Larder_SharedMemory, __construct)
{
	zend_string *given = NULL;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(given)
	ZEND_PARSE_PARAMETERS_END();

	/* Of this moment: each pool and each virtual host may have its own. */
	zend_string *name = given != NULL
		? zend_string_copy(given)
		: zend_string_init(LARDER_G(namespace), strlen(LARDER_G(namespace)), 0);
	if (!namespace_is_valid(name, given != NULL) || !store_is_there()) {
		zend_string_release(name);
		RETURN_THROWS();
	}
	php_shared_memory *memory = PHP_OBJECT_FROM(php_shared_memory, Z_OBJ_P(ZEND_THIS));
	if (memory->name != NULL) {
		zend_string_release(memory->name);
	}
	memory->name = name;
	lrd_space_of(&memory->space, (lrd_slice) {.bytes = ZSTR_VAL(name), .size = ZSTR_LEN(name)});
}

#define COPY_TRIES 64           /* of a text that is written over all the time */
#define COPY_SETTLES 8          /* ... before its writers are waited for */

/* A text, which others may write over while it is copied: then it is copied again. NULL: it is gone, or never still. */
static zend_never_inline zend_string *copy_again(lrd_key key, lrd_found *found)
{
	for (int tries = 0; tries < COPY_TRIES; tries++) {
		if (tries >= COPY_SETTLES) {
			lrd_store_settle(LARDER_G(store), key);
		}
		if (lrd_store_get(LARDER_G(store), key, found) != LRD_OK || found->type != VALUE_TEXT) {
			return NULL;
		}
		zend_string *copy = zend_string_init_fast(found->bytes, found->size);
		if (lrd_found_is_same(found) && php_segment_is_alive()) {
			return copy;
		}
		zend_string_release(copy);
	}
	return NULL;
}

static zend_always_inline bool copy_text(zval *value, lrd_key key, lrd_found *found)
{
	zend_string *copy = zend_string_init_fast(found->bytes, found->size);
	if (UNEXPECTED(!lrd_found_is_same(found) || !php_segment_is_alive())) {
		zend_string_release(copy);
		copy = copy_again(key, found);
		if (copy == NULL) {
			return false;
		}
	}
	ZVAL_STR(value, copy);
	return true;
}

static void tell(const php_shared_memory *memory, const value_flaw *flaw, zend_string *name)
{
	static const char place[] = "shared memory";
	php_failure_note note = php_failure_note_of(flaw, 0, name);
	zval failure, report, returned;

	php_failure_from(
		&failure, &note, &(php_failure_place) {.server = {.bytes = place, .size = sizeof(place) - 1}});
	php_failure_note_free(&note);
	/* Held: it may name another one. */
	ZVAL_COPY(&report, &memory->report);
	ZVAL_UNDEF(&returned);
	call_user_function(NULL, NULL, &report, &returned, 1, &failure);
	zval_ptr_dtor(&returned);
	zval_ptr_dtor(&report);
	zval_ptr_dtor(&failure);
}

/* Once no read is under way any more: what is told may read again. */
static zend_never_inline ZEND_COLD php_shared_memory_read unreadable(
	const php_shared_memory *memory, zend_string *name, bool telling)
{
	value_flaw flaw;

	if (!value_flaw_take(&flaw)) {
		return READ_THREW;
	}
	if (telling && !Z_ISUNDEF(memory->report)) {
		tell(memory, &flaw, name);
	}
	return EG(exception) != NULL ? READ_THREW : READ_BROKEN;
}

/* Inlined into get(), which is all about time. */
static zend_always_inline php_shared_memory_read fetch(
	const php_shared_memory *memory, zend_string *name, zval *value, uint64_t *version, bool telling)
{
	lrd_found found;
	const lrd_key key = php_shared_memory_key(memory, name);

	if (UNEXPECTED(!php_segment_enter())) {
		return READ_MISS;
	}
	if (lrd_store_get(LARDER_G(store), key, &found) != LRD_OK) {
		php_segment_leave();
		return READ_MISS;
	}
	php_shared_memory_read read = READ_HIT;
	if (found.type == LRD_TYPE_INT) {
		ZVAL_LONG(value, (zend_long) found.word);
	} else if (found.type == VALUE_TEXT) {
		read = copy_text(value, key, &found) ? READ_HIT : READ_MISS;
	} else {
		/* Before the fetch: if that fails half-way, userland may have got hold of a part. */
		bool share = found.size > 0 && php_segment_hold();
		if (UNEXPECTED(value_fetch(
				value, found.type, found.word, found.bytes, found.size, share, LARDER_G(shift)) != SUCCESS)) {
			read = READ_BROKEN;
		} else if (UNEXPECTED(!php_segment_is_alive())) {
			/* Of what was copied some may be zeros. */
			zval_ptr_dtor(value);
			read = READ_MISS;
		}
	}
	if (version != NULL) {
		*version = found.version;
	}
	php_segment_leave();
	return EXPECTED(read != READ_BROKEN) ? read : unreadable(memory, name, telling);
}

php_shared_memory_read php_shared_memory_fetch(
	const php_shared_memory *memory, zend_string *name, zval *value, uint64_t *version)
{
	return fetch(memory, name, value, version, true);
}

ZEND_METHOD(Larder_SharedMemory, reportTo)
{
	zval *report;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_OBJECT_OF_CLASS_OR_NULL(report, zend_ce_closure)
	ZEND_PARSE_PARAMETERS_END();

	php_shared_memory *memory = php_shared_memory_of(ZEND_THIS);
	if (memory == NULL) {
		RETURN_THROWS();
	}
	if (Z_ISUNDEF(memory->report)) {
		ZVAL_NULL(return_value);
	} else {
		ZVAL_COPY_VALUE(return_value, &memory->report);
	}
	ZVAL_UNDEF(&memory->report);
	if (report != NULL) {
		ZVAL_COPY(&memory->report, report);
	}
}

ZEND_METHOD(Larder_SharedMemory, get)
{
	zend_string *name;
	zval *fallback = NULL;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(fallback)
	ZEND_PARSE_PARAMETERS_END();

	const php_shared_memory *memory = php_shared_memory_for(ZEND_THIS, name, 1);
	if (UNEXPECTED(memory == NULL)) {
		RETURN_THROWS();
	}
	php_shared_memory_read read = fetch(memory, name, return_value, NULL, true);
	if (EXPECTED(read == READ_HIT)) {
		return;
	}
	if (UNEXPECTED(read == READ_THREW)) {
		ZVAL_NULL(return_value);
		RETURN_THROWS();
	}
	if (fallback == NULL) {
		RETURN_NULL();
	}
	RETURN_COPY(fallback);
}

/* The coarse clock lags by up to one tick: an entry that ends so soon counts as over. */
#define TICK_US 10000

/* Larder\NearStore's STAMPS and WHILE_CURRENT. */
#define ENTRY_STAMPS 3
#define ENTRY_WHILE_CURRENT 7

static zend_always_inline bool is_to_come(const zval *until)
{
	/* 0 is common, and the clock takes longer to ask. */
	return Z_TYPE_P(until) == IS_LONG && Z_LVAL_P(until) > 0
		&& Z_LVAL_P(until) > (zend_long) (lrd_clock_real_ms() * 1000 + TICK_US);
}

/* Whether each of these keys has its number in this namespace now. */
static bool stamps_hold(const php_shared_memory *memory, const zval *stamps)
{
	zend_string *name;
	zval *version;
	lrd_found found;
	bool hold = true;

	if (stamps == NULL || Z_TYPE_P(stamps) != IS_ARRAY || !php_segment_enter()) {
		return false;
	}
	ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(stamps), name, version) {
		hold = name != NULL && ZSTR_LEN(name) - 1 < LRD_KEY_MAX && Z_TYPE_P(version) == IS_LONG
			&& lrd_store_get(LARDER_G(store), php_shared_memory_key(memory, name), &found) == LRD_OK
			&& found.type == LRD_TYPE_INT && (zend_long) found.word == Z_LVAL_P(version);
		if (!hold) {
			break;
		}
	} ZEND_HASH_FOREACH_END();
	php_segment_leave();
	return hold && php_segment_is_alive();
}

/*
 * The value of an entry, as Larder\NearStore::fresh() describes it; NULL if its time is over or the array is no entry.
 * Only the first two slots are looked at, since an entry has its marker and its value there and nowhere else.
 */
static zend_always_inline zval *fresh_value(const php_shared_memory *memory, const HashTable *entry, bool stamped)
{
	if (UNEXPECTED(HT_IS_PACKED(entry) || entry->nNumUsed < 2)) {
		return NULL;
	}
	const Bucket *until = entry->arData;
	Bucket *value = entry->arData + 1;
	bool is_entry = until->key != NULL && zend_string_equals_literal(until->key, "~larder")
		&& Z_TYPE(until->val) == IS_LONG && value->key == NULL && value->h == 0 && Z_TYPE(value->val) != IS_UNDEF;
	if (UNEXPECTED(!is_entry)) {
		return NULL;
	}
	if (is_to_come(&until->val)) {
		return &value->val;
	}
	if (!stamped) {
		return NULL;
	}
	const zval *while_current = zend_hash_index_find(entry, ENTRY_WHILE_CURRENT);
	return while_current != NULL && is_to_come(while_current)
			&& stamps_hold(memory, zend_hash_index_find(entry, ENTRY_STAMPS))
		? &value->val : NULL;
}

ZEND_METHOD(Larder_SharedMemory, fresh)
{
	zend_string *name;
	bool stamped = false;
	zval entry;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_BOOL(stamped)
	ZEND_PARSE_PARAMETERS_END();

	if (UNEXPECTED(ZSTR_LEN(name) - 1 >= LRD_KEY_MAX)) {
		RETURN_NULL();
	}
	const php_shared_memory *memory = php_shared_memory_of(ZEND_THIS);
	if (UNEXPECTED(memory == NULL)) {
		RETURN_THROWS();
	}
	/* What cannot be read is told of by the get() that comes behind this. */
	php_shared_memory_read read = fetch(memory, name, &entry, NULL, false);
	ZVAL_NULL(return_value);
	if (UNEXPECTED(read != READ_HIT)) {
		return;
	}
	if (EXPECTED(Z_TYPE(entry) == IS_ARRAY)) {
		zval *value = fresh_value(memory, Z_ARRVAL(entry), stamped);
		if (value != NULL) {
			ZVAL_COPY_DEREF(return_value, value);
		}
		if (UNEXPECTED(!php_segment_is_alive())) {
			zval_ptr_dtor(return_value);
			ZVAL_NULL(return_value);
		}
	}
	zval_ptr_dtor(&entry);
}

ZEND_METHOD(Larder_SharedMemory, read)
{
	zend_string *name;
	zval value;
	uint64_t version;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	const php_shared_memory *memory = php_shared_memory_for(ZEND_THIS, name, 1);
	if (memory == NULL) {
		RETURN_THROWS();
	}
	switch (php_shared_memory_fetch(memory, name, &value, &version)) {
		case READ_HIT:
			php_answer_hit(return_value, &value, version);
			return;
		case READ_THREW:
			RETURN_THROWS();
		default:
			php_answer_miss(return_value);
	}
}

bool php_shared_memory_check_keys(const HashTable *list, bool of_keys, uint32_t argument)
{
	zend_ulong index;
	zend_string *name;
	zval *element;

	ZEND_HASH_FOREACH_KEY_VAL((HashTable *) list, index, name, element) {
		(void) index;
		if (!of_keys) {
			ZVAL_DEREF(element);
			if (Z_TYPE_P(element) != IS_STRING && Z_TYPE_P(element) != IS_LONG) {
				zend_argument_type_error(argument, "must contain only strings, %s found", zend_zval_type_name(element));
				return false;
			}
			name = Z_TYPE_P(element) == IS_STRING ? Z_STR_P(element) : NULL;
		}
		if (name != NULL && (ZSTR_LEN(name) == 0 || ZSTR_LEN(name) > LRD_KEY_MAX)) {
			zend_argument_value_error(argument, "must contain only keys of 1 to %u bytes", LRD_KEY_MAX);
			return false;
		}
	} ZEND_HASH_FOREACH_END();
	return true;
}

ZEND_METHOD(Larder_SharedMemory, getMultiple)
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
	HashTable *values = zend_new_array(zend_hash_num_elements(list));
	ZEND_HASH_FOREACH_VAL(list, element) {
		/* Held and looked at again: an element may be a reference, and an __unserialize may have written to it. */
		zend_string *name = zval_get_string(element);
		zval value;
		if (EXPECTED(ZSTR_LEN(name) - 1 < LRD_KEY_MAX)
			&& php_shared_memory_fetch(memory, name, &value, NULL) == READ_HIT) {
			zend_symtable_update(values, name, &value);
		}
		zend_string_release(name);
		if (UNEXPECTED(EG(exception) != NULL)) {
			zend_array_release(values);
			RETURN_THROWS();
		}
	} ZEND_HASH_FOREACH_END();
	RETURN_ARR(values);
}

ZEND_METHOD(Larder_SharedMemory, has)
{
	zend_string *name;
	lrd_found found;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	const php_shared_memory *memory = php_shared_memory_for(ZEND_THIS, name, 1);
	if (memory == NULL) {
		RETURN_THROWS();
	}
	if (!php_segment_enter()) {
		RETURN_FALSE;
	}
	bool there = lrd_store_get(LARDER_G(store), php_shared_memory_key(memory, name), &found) == LRD_OK;
	php_segment_leave();
	RETURN_BOOL(there);
}
