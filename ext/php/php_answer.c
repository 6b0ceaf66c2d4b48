#include "php_answer.h"

#include "../php_larder.h"

zend_class_entry *php_answer_ce;

typedef enum answer_property {      /* in the order of larder.stub.php */
	ANSWER_HIT,
	ANSWER_VALUE,
	ANSWER_VERSION,
	ANSWER_STALE,
	ANSWER_LEASE,
	ANSWER_ANSWERED,
} answer_property;

/* Written to directly: readonly binds userland only. */
static zend_object *fill(zend_object *object, bool hit, zend_long version, bool stale)
{
	ZVAL_BOOL(OBJ_PROP_NUM(object, ANSWER_HIT), hit);
	ZVAL_NULL(OBJ_PROP_NUM(object, ANSWER_VALUE));
	ZVAL_LONG(OBJ_PROP_NUM(object, ANSWER_VERSION), version);
	ZVAL_BOOL(OBJ_PROP_NUM(object, ANSWER_STALE), stale);
	ZVAL_NULL(OBJ_PROP_NUM(object, ANSWER_LEASE));
	ZVAL_TRUE(OBJ_PROP_NUM(object, ANSWER_ANSWERED));
	return object;
}

void php_answer_hit(zval *answer, zval *value, uint64_t version)
{
	object_init_ex(answer, php_answer_ce);
	ZVAL_COPY_VALUE(OBJ_PROP_NUM(fill(Z_OBJ_P(answer), true, (zend_long) version, false), ANSWER_VALUE), value);
}

void php_answer_lease(zval *answer, uint64_t token)
{
	object_init_ex(answer, php_answer_ce);
	ZVAL_LONG(OBJ_PROP_NUM(fill(Z_OBJ_P(answer), false, 0, false), ANSWER_LEASE), (zend_long) token);
}

void php_answer_miss(zval *answer)
{
	object_init_ex(answer, php_answer_ce);
	fill(Z_OBJ_P(answer), false, 0, false);
}

void php_answer_of(zval *answer, zval *value, uint64_t version, bool stale, uint64_t lease)
{
	object_init_ex(answer, php_answer_ce);
	zend_object *object = fill(Z_OBJ_P(answer), value != NULL, (zend_long) version, stale);
	if (value != NULL) {
		ZVAL_COPY_VALUE(OBJ_PROP_NUM(object, ANSWER_VALUE), value);
	}
	if (lease != 0) {
		ZVAL_LONG(OBJ_PROP_NUM(object, ANSWER_LEASE), (zend_long) lease);
	}
}

void php_answer_none(zval *answer)
{
	php_answer_miss(answer);
	ZVAL_FALSE(OBJ_PROP_NUM(Z_OBJ_P(answer), ANSWER_ANSWERED));
}

ZEND_METHOD(Larder_Answer, __construct)
{
	bool hit = false, stale = false, no_lease = true, answered = true;
	zend_long version = 0, lease = 0;
	zval *value = NULL;

	ZEND_PARSE_PARAMETERS_START(0, 6)
		Z_PARAM_OPTIONAL
		Z_PARAM_BOOL(hit)
		Z_PARAM_ZVAL(value)
		Z_PARAM_LONG(version)
		Z_PARAM_BOOL(stale)
		Z_PARAM_LONG_OR_NULL(lease, no_lease)
		Z_PARAM_BOOL(answered)
	ZEND_PARSE_PARAMETERS_END();

	zend_object *object = Z_OBJ_P(ZEND_THIS);
	if (Z_TYPE_P(OBJ_PROP_NUM(object, ANSWER_HIT)) != IS_UNDEF) {
		zend_throw_error(NULL, "Cannot modify readonly property %s::$hit", ZSTR_VAL(php_answer_ce->name));
		RETURN_THROWS();
	}
	fill(object, hit, version, stale);
	ZVAL_BOOL(OBJ_PROP_NUM(object, ANSWER_ANSWERED), answered);
	if (value != NULL) {
		ZVAL_COPY(OBJ_PROP_NUM(object, ANSWER_VALUE), value);
	}
	if (!no_lease) {
		ZVAL_LONG(OBJ_PROP_NUM(object, ANSWER_LEASE), lease);
	}
}
