#include "php_settings.h"

#include "php_ini.h"

static zend_long unit_of(char last)
{
	switch (last) {
		case 'k':
		case 'K':
			return (zend_long) 1 << 10;
		case 'm':
		case 'M':
			return (zend_long) 1 << 20;
		case 'g':
		case 'G':
			return (zend_long) 1 << 30;
		default:
			return 1;
	}
}

bool php_setting_number(const zend_string *text, zend_long least, zend_long most, zend_long *number)
{
	size_t size = ZSTR_LEN(text);
	zend_long unit = size > 0 ? unit_of(ZSTR_VAL(text)[size - 1]) : 1;
	size_t digits = unit > 1 ? size - 1 : size;
	zend_long sum = 0;

	for (size_t i = 0; i < digits; i++) {
		unsigned digit = (unsigned char) ZSTR_VAL(text)[i] - (unsigned) '0';
		if (digit > 9 || __builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, digit, &sum)) {
			return false;
		}
	}
	if (digits == 0 || __builtin_mul_overflow(sum, unit, &sum) || sum < least || sum > most) {
		return false;
	}
	*number = sum;
	return true;
}

zend_result php_setting_refuse(const zend_ini_entry *entry, const zend_string *given, const char *allowed, int stage)
{
	php_error_docref(NULL, E_WARNING, "%s must be %s, \"%s\" given; %s", ZSTR_VAL(entry->name), allowed,
		ZSTR_VAL(given), stage == ZEND_INI_STAGE_STARTUP ? "its default holds" : "it stays as it was");
	return FAILURE;
}
