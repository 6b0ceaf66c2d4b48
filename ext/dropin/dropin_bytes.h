/* Bytes that came from a server: where they go, and how they are read as lines or as a serialized value. */
#ifndef DROPIN_BYTES_H
#define DROPIN_BYTES_H

#include "php.h"

#include "../core/base/lrd_slice.h"

/* The place of a reply's first `size` bytes, as lrd_room wants it: in a string of the request's memory. */
char *dropin_room(zend_string **found, size_t size, size_t kept);

/* The next line, without its end. */
lrd_slice dropin_line(const char **at, const char *end);

/* Reads PHP's serialized form. May run user code. False: damaged; value is then not set. */
bool dropin_unserialize(const zend_string *bytes, zval *value);

#endif
