#include "value_compat.h"
#include "value_errors.h"
#include "value_string.h"
#include "value_work.h"

#include "zend_exceptions.h"

/* The bytes of a key that are shown, and the steps of a path that are shown at either end. */
#define KEY_SHOWN 60u
#define STEPS_SHOWN 16u

static void append_key(smart_str *path, const zend_string *key)
{
	const unsigned char *text = (const unsigned char *)ZSTR_VAL(key);
	size_t length = ZSTR_LEN(key);
	size_t at = 0;

	smart_str_appendc(path, '\'');
	while (at < length && at < KEY_SHOWN) {
		size_t step = value_utf8_step(text + at, length - at);

		if (!step || text[at] < 0x20 || text[at] == 0x7f) {
			smart_str_append_printf(path, "\\x%02X", text[at]);
			at++;
			continue;
		}
		if (text[at] == '\'' || text[at] == '\\') {
			smart_str_appendc(path, '\\');
		}
		smart_str_appendl(path, (const char *)text + at, step);
		at += step;
	}
	smart_str_appends(path, at < length ? "...'" : "'");
}

static void append_step(smart_str *path, const value_frame *frame)
{
	smart_str_appendc(path, '[');
	if (HT_IS_PACKED(frame->table)) {
		smart_str_append_unsigned(path, frame->position);
	} else {
		const Bucket *bucket = frame->table->arData + frame->position;

		if (bucket->key) {
			append_key(path, bucket->key);
		} else {
			smart_str_append_long(path, (zend_long)bucket->h);
		}
	}
	smart_str_appendc(path, ']');
}

/* Depth is bounded by VALUE_DEPTH_MAX, so the frames fit on the stack. */
static void append_path(smart_str *path, const value_frame *frame)
{
	const value_frame *steps[VALUE_DEPTH_MAX + 1];
	size_t count = 0;

	for (; frame && count <= VALUE_DEPTH_MAX; frame = frame->above) {
		steps[count++] = frame;
	}
	smart_str_appends(path, "$value");
	for (size_t i = 0; i < count; i++) {
		if (count > 2 * STEPS_SHOWN && i == STEPS_SHOWN) {
			smart_str_appends(path, "[...]");
			i = count - STEPS_SHOWN;
		}
		append_step(path, steps[count - 1 - i]);
	}
}

static void append_reason(smart_str *text, value_refusal why, const zval *value)
{
	switch (why) {
		case VALUE_REFUSE_RESOURCE:
			smart_str_appends(text, " is a resource");
			break;
		case VALUE_REFUSE_OBJECT:
			smart_str_append_printf(
				text, " is an object of class %s, which cannot be serialized", ZSTR_VAL(Z_OBJCE_P(value)->name));
			break;
		case VALUE_REFUSE_NO_CLASSES:
			smart_str_append_printf(text,
				" is an object of class %s, which would not come back from JSON: choose another $serializer",
				ZSTR_VAL(Z_OBJCE_P(value)->name));
			break;
		case VALUE_REFUSE_INSIDE:
			smart_str_append_printf(text, " is an object of class %s with something in it that cannot be serialized",
				ZSTR_VAL(Z_OBJCE_P(value)->name));
			break;
		case VALUE_REFUSE_CYCLE:
			smart_str_appends(text, " is a reference to an array that it lies in");
			break;
		case VALUE_REFUSE_DEPTH:
			smart_str_append_printf(text, " is nested in more than %d arrays", VALUE_DEPTH_MAX);
			break;
		case VALUE_REFUSE_CHANGED:
			smart_str_appends(text, " changed while it was being serialized");
			break;
		case VALUE_REFUSE_TYPE:
			smart_str_appends(text, " is of an unknown type");
			break;
	}
}

void value_refuse(const value_frame *frame, value_refusal why, const zval *value)
{
	smart_str text = {0};

	append_path(&text, frame);
	append_reason(&text, why, value);
	smart_str_appends(&text, "; null, bool, int, float, string, array");
	smart_str_appends(&text, why == VALUE_REFUSE_NO_CLASSES ? "" : ", enum and serializable objects");
	smart_str_appends(&text, " can be stored");
	smart_str_0(&text);
	zend_throw_exception(larder_unstorable_value_ce, ZSTR_VAL(text.s), 0);
	smart_str_free(&text);
}
