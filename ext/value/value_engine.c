#include "value_engine.h"
#include "value_compat.h"

#include "ext/standard/basic_functions.h"
#include "zend_exceptions.h"

value_outer value_set_aside(void)
{
	value_outer outer = {
		.serialize_data = BG(serialize).data,
		.unserialize_data = BG(unserialize).data,
		.serialize_level = BG(serialize).level,
		.unserialize_level = BG(unserialize).level,
		.lock = BG(serialize_lock),
	};

	BG(serialize).level = 0;
	BG(unserialize).level = 0;
	BG(serialize_lock) = 0;
	return outer;
}

void value_set_back(const value_outer *outer)
{
	BG(serialize).data = outer->serialize_data;
	BG(serialize).level = outer->serialize_level;
	BG(unserialize).data = outer->unserialize_data;
	BG(unserialize).level = outer->unserialize_level;
	BG(serialize_lock) = outer->lock;
}

const zend_string *value_engine_refusal(void)
{
	static const char start[] = "Serialization of '";
	zval place;
	zval *message;

	if (EG(exception)->ce != zend_ce_exception) {
		return NULL;
	}
	message = zend_read_property_ex(zend_ce_exception, EG(exception), ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &place);
	if (Z_TYPE_P(message) != IS_STRING || Z_STRLEN_P(message) < sizeof(start) - 1
		|| memcmp(Z_STRVAL_P(message), start, sizeof(start) - 1) != 0) {
		return NULL;
	}
	return Z_STR_P(message);
}

zend_result value_quietly(zend_result (*read)(void *), void *reading)
{
	int reporting = EG(error_reporting);
	int handled = EG(user_error_handler_error_reporting);
	volatile zend_result result = FAILURE;
	volatile bool ended = false;

	EG(error_reporting) &= ~(E_WARNING | E_NOTICE | E_DEPRECATED);
	EG(user_error_handler_error_reporting) &= ~(E_WARNING | E_NOTICE | E_DEPRECATED);
	zend_try {
		result = read(reading);
		ended = true;
	} zend_end_try();
	EG(error_reporting) = reporting;
	EG(user_error_handler_error_reporting) = handled;
	if (!ended) {
		zend_bailout();
	}
	return result;
}
