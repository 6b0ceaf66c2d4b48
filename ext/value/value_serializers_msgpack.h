/* Whether bytes are msgpack at all. Pure C: it reads nothing but what it is given. */
#ifndef VALUE_SERIALIZERS_MSGPACK_H
#define VALUE_SERIALIZERS_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * One value from the first byte to the last: every length within the bytes, and no type that PHP's msgpack does not
 * write.
 */
bool value_msgpack_is_whole(const char *bytes, size_t size);

#endif
