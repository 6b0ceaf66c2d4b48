/* The engine's own serializer, as all of value/ has to treat it. */
#ifndef VALUE_ENGINE_H
#define VALUE_ENGINE_H

#include "php.h"

#include "value_flaw.h"

/*
 * The engine's serializer state, set aside while ours runs. Otherwise an unserialize() that called us, through a method
 * of a class, would count our objects among its own.
 */
typedef struct value_outer {
	struct php_serialize_data *serialize_data;
	struct php_unserialize_data *unserialize_data;
	unsigned serialize_level, unserialize_level, lock;
	bool made_incomplete;
} value_outer;

value_outer value_set_aside(void);
void value_set_back(const value_outer *outer);

/*
 * Whether an object of a class that is not there was made since value_set_aside(), which is then noted for
 * value_flaw_take(). Only while classes are watched.
 */
bool value_is_incomplete(void);

/* What is wrong with bytes that are not read at all, for value_flaw_take(). */
ZEND_ATTRIBUTE_FORMAT(printf, 2, 3)
void value_flaw_note(value_flaw_kind kind, const char *format, ...);

/*
 * The message of the pending exception if the engine threw it for a class that cannot be serialized; NULL if user code
 * threw.
 */
const zend_string *value_engine_refusal(void);

/*
 * Calls read(reading) and silences the warnings that damaged bytes cause, as @ does. An error handler may turn them
 * into exceptions, but for a cache damaged bytes are only a miss. What they said of a failure is noted for
 * value_flaw_take().
 */
zend_result value_quietly(zend_result (*read)(void *reading), void *reading);

#endif
