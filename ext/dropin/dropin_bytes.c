#include "dropin_bytes.h"
#include "../value/value_compat.h"

#include "ext/standard/php_var.h"

#include "../value/value_engine.h"
#include "../value/value_flaw.h"

char *dropin_room(zend_string **found, size_t size, size_t kept)
{
	if (kept > 0) {
		*found = zend_string_extend(*found, size, false);
	} else {
		if (*found != NULL) {
			zend_string_release(*found);
		}
		*found = zend_string_alloc(size, false);
	}
	ZSTR_VAL(*found)[size] = '\0';
	return ZSTR_VAL(*found);
}

lrd_slice dropin_line(const char **at, const char *end)
{
	const char *line_end = memchr(*at, '\n', (size_t) (end - *at));
	lrd_slice line = {.bytes = *at, .size = (size_t) ((line_end != NULL ? line_end : end) - *at)};

	*at = line_end != NULL ? line_end + 1 : end;
	if (line.size > 0 && line.bytes[line.size - 1] == '\r') {
		line.size--;
	}
	return line;
}

value_allowed *dropin_allowed(const char *names)
{
	const char separators[] = ", \t";

	if (strcmp(names, "1") == 0) {
		return NULL;
	}
	if (*names == '\0' || strcmp(names, "0") == 0) {
		return value_allowed_none(true);
	}
	value_allowed *allowed = value_allowed_usual(true);
	for (size_t size; *names != '\0'; names += size) {
		names += strspn(names, separators);
		size = strcspn(names, separators);
		if (size > 0) {
			value_allowed_add(allowed, names, size);
		}
	}
	return allowed;
}

bool dropin_is_allowed(const value_allowed *allowed, value_class_walk *walk, const char *bytes, size_t size,
	const char *could_not)
{
	value_flaw flaw;

	if (EXPECTED(allowed == NULL) || value_allowed_in(allowed, walk, bytes, size)) {
		return true;
	}
	value_flaw_take(&flaw);
	if (flaw.kind == VALUE_FLAW_REFUSED) {
		php_error_docref(NULL, E_WARNING, "could not %s value, for the %s in it is not allowed", could_not, flaw.reason);
	} else {
		php_error_docref(NULL, E_WARNING, "could not %s value", could_not);
	}
	return false;
}

bool dropin_unserialize(const zend_string *bytes, const value_allowed *allowed, zval *value)
{
	const unsigned char *at = (const unsigned char *) ZSTR_VAL(bytes), *end = at + ZSTR_LEN(bytes);
	php_unserialize_data_t context;
	value_outer outer = value_set_aside();

	ZVAL_UNDEF(value);
	PHP_VAR_UNSERIALIZE_INIT(context);
	if (allowed != NULL) {
		php_var_unserialize_set_allowed_classes(context, (HashTable *) &allowed->names);
	}
	bool is_read = php_var_unserialize(value, &at, end, &context);
	PHP_VAR_UNSERIALIZE_DESTROY(context);
	value_set_back(&outer);
	if (!is_read) {
		zval_ptr_dtor(value);
		return false;
	}
	if (Z_ISREF_P(value)) {
		zend_unwrap_reference(value);
	}
	return true;
}
