#include "dropin_bytes.h"
#include "../value/value_compat.h"

#include "ext/standard/php_var.h"

#include "../value/value_engine.h"

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

bool dropin_unserialize(const zend_string *bytes, zval *value)
{
	const unsigned char *at = (const unsigned char *) ZSTR_VAL(bytes), *end = at + ZSTR_LEN(bytes);
	php_unserialize_data_t context;
	value_outer outer = value_set_aside();

	ZVAL_UNDEF(value);
	PHP_VAR_UNSERIALIZE_INIT(context);
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
