/*
 * Why bytes that were stored gave no value. What the engine says of that, by an exception, a warning or an object of
 * __PHP_Incomplete_Class, is collected here, so that for a cache each of them is the same: a miss with a reason.
 */
#ifndef VALUE_FLAW_H
#define VALUE_FLAW_H

#include "php.h"

typedef enum value_flaw_kind {
	VALUE_FLAW_BYTES,           /* they are damaged, or in a form that we do not know */
	VALUE_FLAW_GONE,            /* their class, enum or case is not there any more */
	VALUE_FLAW_REFUSED,         /* their class is none that the caller allows */
	VALUE_FLAW_CHANGED,         /* their class does not take them: another type, or its own code threw */
} value_flaw_kind;

#define VALUE_FLAW_REASON 240

typedef struct value_flaw {
	value_flaw_kind kind;
	char reason[VALUE_FLAW_REASON];     /* what the engine or the exception said; "": nothing */
} value_flaw;

/*
 * From MINIT to MSHUTDOWN of a module that hands out no object of a class that is not there. Without it they are
 * values, as unserialize() gives them.
 */
void value_watch_classes(bool on);

/*
 * Right after a FAILURE of value_fetch() or value_decode(). Clears the exception; false: it is exit(), and stays. May
 * run a destructor of the exception's.
 */
bool value_flaw_take(value_flaw *flaw);

#endif
