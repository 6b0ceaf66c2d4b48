#include "value_layouts.h"

#include <string.h>

/* The low 16 bits of the flags belong to the client, the others to its user. */
enum {
	CLIENTS_BITS = 0xffff,

	MEMCACHED_STRING = 0,
	MEMCACHED_INTEGER = 1,
	MEMCACHED_FLOAT = 2,
	MEMCACHED_BOOL = 3,
	MEMCACHED_TYPE = 0x000f,
	MEMCACHED_COMPRESSED = 0x0010,

	MEMCACHE_SERIALIZED = 0x0001,
	MEMCACHE_COMPRESSED = 0x0002,
	MEMCACHE_BOOL = 0x0100,
	MEMCACHE_INTEGER = 0x0300,
	MEMCACHE_FLOAT = 0x0700,

	ZLIB_FIRST_BYTE = 'x',                  /* of every stream that both clients write, and of no number or bool */
};

/* ---- memcached ---- */

static bool tells_all_serializers(const value_serializer *serializer)
{
	(void)serializer;
	return true;
}

static bool tells_all_compressors(const value_compressor *compressor)
{
	(void)compressor;
	return true;
}

static uint32_t memcached_serialized(const value_serializer *serializer)
{
	return serializer->type;
}

static uint32_t memcached_compressed(const value_compressor *compressor)
{
	return compressor->bits;
}

/* ext-memcached takes for true what starts with 1. */
const value_layout value_layout_memcached = {
	.name = "memcached",
	.integer_flags = MEMCACHED_INTEGER,
	.float_flags = MEMCACHED_FLOAT,
	.on = { "1.", MEMCACHED_BOOL },
	.off = { "", MEMCACHED_BOOL },
	.has_length = true,
	.can_tell_serializer = tells_all_serializers,
	.can_tell_compressor = tells_all_compressors,
	.serialized_flags = memcached_serialized,
	.compressed_flags = memcached_compressed,
};

/* ---- memcache ---- */

static bool tells_php(const value_serializer *serializer)
{
	return serializer == &value_serializer_php || serializer == &value_serializer_none;
}

static bool tells_zlib(const value_compressor *compressor)
{
	return compressor == &value_compressor_zlib || compressor == &value_compressor_none;
}

static uint32_t memcache_serialized(const value_serializer *serializer)
{
	(void)serializer;
	return MEMCACHE_SERIALIZED;
}

static uint32_t memcache_compressed(const value_compressor *compressor)
{
	(void)compressor;
	return MEMCACHE_COMPRESSED;
}

/* Its own bools are "1" and "0" and nothing else, which the server would count: they are written serialized. */
const value_layout value_layout_memcache = {
	.name = "memcache",
	.integer_flags = MEMCACHE_INTEGER,
	.float_flags = MEMCACHE_FLOAT,
	.on = { "b:1;", MEMCACHE_SERIALIZED },
	.off = { "b:0;", MEMCACHE_SERIALIZED },
	.can_tell_serializer = tells_php,
	.can_tell_compressor = tells_zlib,
	.serializers = "php and none",
	.compressors = "none and zlib",
	.serialized_flags = memcache_serialized,
	.compressed_flags = memcache_compressed,
};

const value_layout *value_layout_named(const char *name)
{
	if (strcmp(name, value_layout_memcached.name) == 0) {
		return &value_layout_memcached;
	}
	return strcmp(name, value_layout_memcache.name) == 0 ? &value_layout_memcache : NULL;
}

/* ---- the reader ---- */

static bool is_integer(const char *bytes, size_t size)
{
	size_t at = size > 0 && bytes[0] == '-' ? 1 : 0;
	size_t first = at;

	while (at < size && bytes[at] >= '0' && bytes[at] <= '9') {
		at++;
	}
	if (at == first) {
		return false;
	}
	while (at < size && bytes[at] == ' ') {
		at++;
	}
	return at == size;
}

/* The types that only ext-memcached writes, and the string, which both write alike. */
static bool tell_memcached(uint32_t type, value_form *form)
{
	static const value_serializer *const serializers[] = {
		&value_serializer_php, &value_serializer_igbinary, &value_serializer_json, &value_serializer_msgpack,
	};

	switch (type) {
		case MEMCACHED_STRING:
			form->kind = VALUE_KIND_STRING;
			return true;
		case MEMCACHED_INTEGER:
			form->kind = VALUE_KIND_INTEGER;
			return true;
		case MEMCACHED_FLOAT:
			form->kind = VALUE_KIND_FLOAT;
			return true;
		case MEMCACHED_BOOL:
			form->kind = VALUE_KIND_BOOL;
			return true;
		default:
			break;
	}
	form->kind = VALUE_KIND_SERIALIZED;
	for (size_t i = 0; i < sizeof(serializers) / sizeof(*serializers); i++) {
		if (serializers[i]->type == type) {
			form->serializer = serializers[i];
			return true;
		}
	}
	return false;
}

/* 1 to 3 are types of the one and bits of the other: the bytes tell. */
static bool tell_either(const char *bytes, size_t size, uint32_t low, value_form *form)
{
	bool serialized = low & MEMCACHE_SERIALIZED;
	bool compressed = low & MEMCACHE_COMPRESSED;

	if (compressed ? size == 0 || bytes[0] != ZLIB_FIRST_BYTE : is_integer(bytes, size)) {
		return tell_memcached(low, form);
	}
	form->kind = serialized ? VALUE_KIND_SERIALIZED : VALUE_KIND_STRING;
	form->serializer = serialized ? &value_serializer_php : NULL;
	form->compressor = compressed ? &value_compressor_zlib : NULL;
	return true;
}

bool value_form_tell(const char *bytes, size_t size, uint32_t flags, value_form *form)
{
	uint32_t low = flags & CLIENTS_BITS;

	memset(form, 0, sizeof(*form));
	if (low & MEMCACHED_COMPRESSED) {
		form->compressor = value_compressor_of_bits(low & ~(uint32_t)MEMCACHED_TYPE);
		form->has_length = true;
		return form->compressor && tell_memcached(low & MEMCACHED_TYPE, form);
	}
	switch (low) {
		case MEMCACHE_BOOL:
			form->kind = VALUE_KIND_BOOL;
			return true;
		case MEMCACHE_INTEGER:
			form->kind = VALUE_KIND_INTEGER;
			return true;
		case MEMCACHE_FLOAT:
			form->kind = VALUE_KIND_FLOAT;
			return true;
		case MEMCACHED_INTEGER:
		case MEMCACHED_FLOAT:
		case MEMCACHED_BOOL:
			return tell_either(bytes, size, low, form);
		default:
			return tell_memcached(low, form);
	}
}
