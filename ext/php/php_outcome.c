#include "php_outcome.h"

#include "zend_enum.h"

zend_class_entry *php_outcome_ce;

static const char *case_of(lrd_status status)
{
	switch (status) {
		case LRD_OK:
			return "Done";
		case LRD_MISS:
			return "NotFound";
		case LRD_EXISTS:
		case LRD_LOST:
		case LRD_NOT_A_NUMBER:
			return "Exists";
		case LRD_UNKNOWN:
			return "Unknown";
		default:
			return "Refused";
	}
}

void php_outcome_from(lrd_status status, zval *outcome)
{
	/* Asked for each time: a case is an object of the request, and the engine knows where this request's is. */
	ZVAL_OBJ_COPY(outcome, zend_enum_get_case_cstr(php_outcome_ce, case_of(status)));
}
