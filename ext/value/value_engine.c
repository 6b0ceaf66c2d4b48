#include "value_engine.h"
#include "value_compat.h"

#include "ext/standard/basic_functions.h"
#include "ext/standard/php_incomplete_class.h"
#include "zend_exceptions.h"

/* Of the last failure that no exception tells of. */
ZEND_TLS value_flaw noted;

/* Whether an object of a class that is not there was made, and which one was the first. */
ZEND_TLS bool made_incomplete;
ZEND_TLS uint32_t first_incomplete;

/* The engine's own way to make one; NULL: classes are not watched. */
static zend_object *(*create_incomplete)(zend_class_entry *class);
static zend_class_entry *incomplete_class;

static zend_object *note_incomplete(zend_class_entry *class)
{
	zend_object *object = create_incomplete(class);

	if (!made_incomplete) {
		made_incomplete = true;
		first_incomplete = object->handle;
	}
	return object;
}

/* By its name: PHP 8.1 keeps it in BG(), see value_serializer_write(). */
void value_watch_classes(bool on)
{
	if (on) {
		incomplete_class = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("__php_incomplete_class"));
	}
	if (!incomplete_class) {
		return;
	}
	if (on && incomplete_class->create_object) {
		create_incomplete = incomplete_class->create_object;
		incomplete_class->create_object = note_incomplete;
	} else if (!on && incomplete_class->create_object == note_incomplete) {
		incomplete_class->create_object = create_incomplete;
	}
}

bool value_is_incomplete(void)
{
	const zend_objects_store *store = &EG(objects_store);
	zend_object *object;
	zend_string *name = NULL;

	if (EXPECTED(!made_incomplete)) {
		return false;
	}
	/* It may be gone already, and another one in its place: then only its name is not known. */
	object = first_incomplete < store->top ? store->object_buckets[first_incomplete] : NULL;
	if (object && IS_OBJ_VALID(object) && object->ce == incomplete_class) {
		name = php_lookup_class_name(object);
	}
	noted.kind = VALUE_FLAW_GONE;
	snprintf(noted.reason, sizeof(noted.reason), "class %s", name ? ZSTR_VAL(name) : "not known");
	if (name) {
		zend_string_release(name);
	}
	return true;
}

void value_flaw_note(value_flaw_kind kind, const char *format, ...)
{
	va_list arguments;

	noted.kind = kind;
	va_start(arguments, format);
	vsnprintf(noted.reason, sizeof(noted.reason), format, arguments);
	va_end(arguments);
}

/* What a warning said while bytes were looked at, without the name of the function in front. */
static void note_warning(const zend_string *message)
{
	static const char *const gone[] = {
		"Undefined constant", "not found", "does not exist", "is not an enum", "has no unserializer"};
	const char *text = strstr(ZSTR_VAL(message), "(): ");

	text = text ? text + strlen("(): ") : ZSTR_VAL(message);
	noted.kind = VALUE_FLAW_BYTES;
	for (size_t i = 0; i < sizeof(gone) / sizeof(*gone); i++) {
		if (strstr(text, gone[i])) {
			noted.kind = VALUE_FLAW_GONE;
		}
	}
	snprintf(noted.reason, sizeof(noted.reason), "%s", text);
}

static void take_exception(value_flaw *flaw)
{
	zend_class_entry *base = instanceof_function(EG(exception)->ce, zend_ce_exception)
		? zend_ce_exception
		: zend_ce_error;
	zval place;
	zval *message = zend_read_property_ex(base, EG(exception), ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &place);

	flaw->kind = VALUE_FLAW_CHANGED;
	snprintf(flaw->reason, sizeof(flaw->reason), "%s: %s", ZSTR_VAL(EG(exception)->ce->name),
		Z_TYPE_P(message) == IS_STRING ? Z_STRVAL_P(message) : "");
	zend_clear_exception();
}

bool value_flaw_take(value_flaw *flaw)
{
	*flaw = noted;
	noted = (value_flaw) { .kind = VALUE_FLAW_BYTES };
	if (!EG(exception)) {
		return true;
	}
	if (zend_is_unwind_exit(EG(exception)) || zend_is_graceful_exit(EG(exception))) {
		return false;
	}
	take_exception(flaw);
	return true;
}

value_outer value_set_aside(void)
{
	value_outer outer = {
		.serialize_data = BG(serialize).data,
		.unserialize_data = BG(unserialize).data,
		.serialize_level = BG(serialize).level,
		.unserialize_level = BG(unserialize).level,
		.lock = BG(serialize_lock),
		.made_incomplete = made_incomplete,
	};

	made_incomplete = false;
	noted = (value_flaw) { .kind = VALUE_FLAW_BYTES };
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
	made_incomplete = outer->made_incomplete;
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
	const zend_string *said = PG(last_error_message);
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
	if (result == FAILURE && PG(last_error_message) && PG(last_error_message) != said) {
		note_warning(PG(last_error_message));
	}
	return result;
}
