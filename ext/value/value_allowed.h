/*
 * Of which classes a value from outside may be: whoever writes to a server chooses the bytes that we make objects of.
 * NULL, where a pointer to one is taken: of any class.
 */
#ifndef VALUE_ALLOWED_H
#define VALUE_ALLOWED_H

#include "value_classes.h"

#include "php.h"

typedef struct value_allowed {
	HashTable names;            /* in lower case */
	bool is_persistent;
	bool none;                  /* no object at all, also no case of an enum */
} value_allowed;

/*
 * Those of PHP that hold no more than what they are given, enums that are loaded, and what is added. In the request's
 * memory or the process's.
 */
value_allowed *value_allowed_usual(bool is_persistent);
value_allowed *value_allowed_none(bool is_persistent);
/* A class or an enum, by its exact name but for the case and a backslash in front. */
void value_allowed_add(value_allowed *allowed, const char *name, size_t size);
void value_allowed_free(value_allowed *allowed);

/*
 * Whether what a walk told may be made. A name that no one has listed is not looked up by the autoloader. If not, it is
 * noted for value_flaw_take().
 */
bool value_allowed_in(const value_allowed *allowed, value_class_walk *walk, const char *bytes, size_t size);

/* The same behind a write: throws UnstorableValue. */
bool value_allowed_out(const value_allowed *allowed, value_class_walk *walk, const char *bytes, size_t size);

#endif
