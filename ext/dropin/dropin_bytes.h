/* Bytes that came from a server: where they go, and how they are read as lines or as a serialized value. */
#ifndef DROPIN_BYTES_H
#define DROPIN_BYTES_H

#include "php.h"

#include "../core/base/lrd_slice.h"
#include "../value/value_allowed.h"

/* The place of a reply's first `size` bytes, as lrd_room wants it: in a string of the request's memory. */
char *dropin_room(zend_string **found, size_t size, size_t kept);

/* The next line, without its end. */
lrd_slice dropin_line(const char **at, const char *end);

/*
 * The classes that a setting or an option names, in the process's memory: "1" all (NULL), "" or "0" none, else the
 * usual ones and those that are named, separated by commas; "usual" names none.
 */
value_allowed *dropin_allowed(const char *names);

/*
 * Whether bytes hold only what is allowed. If not, a warning says that this could not be done with the value, and why.
 */
bool dropin_is_allowed(const value_allowed *allowed, value_class_walk *walk, const char *bytes, size_t size,
	const char *could_not);

/* Reads PHP's serialized form, which is allowed. May run user code. False: damaged; value is then not set. */
bool dropin_unserialize(const zend_string *bytes, const value_allowed *allowed, zval *value);

#endif
