/*
 * The two layouts of flags and bytes: how each writes, and the one reader that tells them apart by the bytes. Nothing
 * is allocated here and nothing is run.
 */
#ifndef VALUE_LAYOUTS_H
#define VALUE_LAYOUTS_H

#include "value_compressors.h"
#include "value_serializers.h"

/*
 * Both readers of old take this, a bit of the user's own, for nothing: with it an empty string differs from a lease's
 * stub.
 */
enum { VALUE_FLAGS_EMPTY = 0x00010000 };

enum { VALUE_LENGTH_SIZE = 4 };             /* the length before compressed bytes, in the host's order */

typedef struct value_constant {
	const char *bytes;
	uint32_t flags;
} value_constant;

struct value_layout {
	const char *name;
	uint32_t integer_flags, float_flags;
	value_constant on, off;                 /* true, false: in forms that the server does not count */
	bool has_length;                        /* before compressed bytes */
	bool (*can_tell_serializer)(const value_serializer *serializer);
	bool (*can_tell_compressor)(const value_compressor *compressor);
	const char *serializers, *compressors;  /* that it can tell */
	uint32_t (*serialized_flags)(const value_serializer *serializer);
	uint32_t (*compressed_flags)(const value_compressor *compressor);
};

extern const value_layout value_layout_memcached;
extern const value_layout value_layout_memcache;

/* NULL: there is none of that name. */
const value_layout *value_layout_named(const char *name);

typedef enum value_kind {
	VALUE_KIND_STRING,
	VALUE_KIND_INTEGER,
	VALUE_KIND_FLOAT,
	VALUE_KIND_BOOL,
	VALUE_KIND_SERIALIZED,
} value_kind;

/* What bytes are by their flags: decompress if there is a compressor, then read as kind. */
typedef struct value_form {
	value_kind kind;
	const value_serializer *serializer;     /* of VALUE_KIND_SERIALIZED */
	const value_compressor *compressor;     /* NULL: not compressed */
	bool has_length;
} value_form;

/* False: no PHP client writes such. */
bool value_form_tell(const char *bytes, size_t size, uint32_t flags, value_form *form);

#endif
