#include "php_outcome.h"

#include "zend_enum.h"

#include "../php_larder.h"

zend_class_entry *php_outcome_ce;

enum { OUTCOME_DONE, OUTCOME_NOT_FOUND, OUTCOME_EXISTS, OUTCOME_UNKNOWN, OUTCOME_REFUSED };

static const char *const names[] = {
	[OUTCOME_DONE] = "Done",
	[OUTCOME_NOT_FOUND] = "NotFound",
	[OUTCOME_EXISTS] = "Exists",
	[OUTCOME_UNKNOWN] = "Unknown",
	[OUTCOME_REFUSED] = "Refused",
};

_Static_assert(sizeof(names) / sizeof(names[0]) == PHP_LARDER_OUTCOMES, "each case has a place in the globals");

static unsigned case_of(lrd_status status)
{
	switch (status) {
		case LRD_OK:
			return OUTCOME_DONE;
		case LRD_MISS:
			return OUTCOME_NOT_FOUND;
		case LRD_EXISTS:
		case LRD_LOST:
		case LRD_NOT_A_NUMBER:
			return OUTCOME_EXISTS;
		case LRD_UNKNOWN:
			return OUTCOME_UNKNOWN;
		default:
			return OUTCOME_REFUSED;
	}
}

void php_outcome_begin_request(void)
{
	memset(LARDER_G(outcomes), 0, sizeof(LARDER_G(outcomes)));
}

void php_outcome_from(lrd_status status, zval *outcome)
{
	const unsigned number = case_of(status);
	zend_object *object = LARDER_G(outcomes)[number];

	if (UNEXPECTED(object == NULL)) {
		object = zend_enum_get_case_cstr(php_outcome_ce, names[number]);
		LARDER_G(outcomes)[number] = object;
	}
	ZVAL_OBJ_COPY(outcome, object);
}
