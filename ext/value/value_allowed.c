#include "value_allowed.h"
#include "value_engine.h"
#include "value_errors.h"
#include "value_flaw.h"

#include "zend_exceptions.h"

enum { LONGEST_NAME = 255 };    /* of those that are looked for */

static value_allowed *make(bool is_persistent)
{
	value_allowed *allowed = pemalloc(sizeof(*allowed), is_persistent);

	*allowed = (value_allowed) { .is_persistent = is_persistent };
	zend_hash_init(&allowed->names, 8, NULL, NULL, is_persistent);
	return allowed;
}

value_allowed *value_allowed_usual(bool is_persistent)
{
	static const char *const usual[] = {
		"stdclass", "datetime", "datetimeimmutable", "datetimezone", "dateinterval", "arrayobject"};
	value_allowed *allowed = make(is_persistent);

	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++) {
		zend_hash_str_add_empty_element(&allowed->names, usual[i], strlen(usual[i]));
	}
	return allowed;
}

value_allowed *value_allowed_none(bool is_persistent)
{
	value_allowed *allowed = make(is_persistent);

	allowed->none = true;
	return allowed;
}

void value_allowed_add(value_allowed *allowed, const char *name, size_t size)
{
	if (size > 0 && *name == '\\') {
		name++;
		size--;
	}
	char *lower = zend_str_tolower_dup(name, size);
	zend_hash_str_add_empty_element(&allowed->names, lower, size);
	efree(lower);
}

void value_allowed_free(value_allowed *allowed)
{
	if (allowed) {
		zend_hash_destroy(&allowed->names);
		pefree(allowed, allowed->is_persistent);
	}
}

typedef struct looking {
	const value_allowed *allowed;
	char refused[LONGEST_NAME + 1];
	bool is_refused, is_enum;
} looking;

static bool is_allowed(void *context, const char *name, size_t size, bool is_enum)
{
	looking *looking = context;
	char lower[LONGEST_NAME + 1];

	if (size <= LONGEST_NAME) {
		zend_str_tolower_copy(lower, name, size);
		if (zend_hash_str_exists(&looking->allowed->names, lower, size)) {
			return true;
		}
		if (is_enum && !looking->allowed->none) {
			const zend_class_entry *class = zend_hash_str_find_ptr(EG(class_table), lower, size);
			if (class && (class->ce_flags & ZEND_ACC_ENUM)) {
				return true;
			}
		}
	}
	looking->is_refused = true;
	looking->is_enum = is_enum;
	/* PHP's snprintf() looks for the end of a string even where it is told a length. */
	size = MIN(size, LONGEST_NAME);
	memcpy(looking->refused, name, size);
	looking->refused[size] = '\0';
	return false;
}

bool value_allowed_in(const value_allowed *allowed, value_class_walk *walk, const char *bytes, size_t size)
{
	looking looking = { .allowed = allowed };

	if (walk(bytes, size, is_allowed, &looking)) {
		return true;
	}
	if (looking.is_refused) {
		value_flaw_note(VALUE_FLAW_REFUSED, "%s %s", looking.is_enum ? "enum" : "class", looking.refused);
	} else {
		value_flaw_note(VALUE_FLAW_BYTES, "%s", "");
	}
	return false;
}

bool value_allowed_out(const value_allowed *allowed, value_class_walk *walk, const char *bytes, size_t size)
{
	looking looking = { .allowed = allowed };

	if (walk(bytes, size, is_allowed, &looking)) {
		return true;
	}
	if (!looking.is_refused) {
		zend_throw_exception_ex(larder_unstorable_value_ce, 0,
			"the value cannot be stored: what an object in it gives for itself is in no form that can be read again with"
			" a list of classes; by msgpack that is also an object that is in it twice");
	} else if (allowed->none) {
		zend_throw_exception_ex(larder_unstorable_value_ce, 0,
			"the value cannot be stored: it holds an object of %s, and with objects: false readers take none",
			looking.refused);
	} else {
		zend_throw_exception_ex(larder_unstorable_value_ce, 0,
			"the value cannot be stored: it holds an object of %s, which readers would not take: list that class in "
			"$objects, or store an array",
			looking.refused);
	}
	return false;
}
