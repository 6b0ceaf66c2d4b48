/*
 * Which classes bytes in the form of a serializer would make objects of, told by a walk over them that makes none. Pure
 * C: it reads nothing but what it is given.
 *
 * The walks know what the serializers of PHP write. They read more than that, and to what they read besides the answer
 * is false: so no class is made that a walk has not told.
 */
#ifndef VALUE_CLASSES_H
#define VALUE_CLASSES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Called for each class and each case of an enum, with a name that is not closed by a NUL. False ends the walk. May be
 * NULL.
 */
typedef bool (*value_class_seen)(void *context, const char *name, size_t size, bool is_enum);

/* False: seen() was, or these are not whole bytes of that serializer. */
typedef bool value_class_walk(const char *bytes, size_t size, value_class_seen seen, void *context);

/* These two are also true for bytes of any kind in which there can be no object. */
bool value_classes_in_php(const char *bytes, size_t size, value_class_seen seen, void *context);
bool value_classes_in_igbinary(const char *bytes, size_t size, value_class_seen seen, void *context);
/* Also whether they are whole, if seen is NULL. */
bool value_classes_in_msgpack(const char *bytes, size_t size, value_class_seen seen, void *context);

/*
 * What a class that is Serializable makes of its own bytes is known to it alone, but mostly they are in the form of
 * PHP's serializer. So what looks like an object there counts as one. False: seen() was.
 */
bool value_classes_in_payload(const char *bytes, size_t size, value_class_seen seen, void *context);

#endif
