/*
 * The compressors, one struct of functions each. They know nothing of flags or headers beyond their own bits:
 * value_layouts.c does.
 */
#ifndef VALUE_COMPRESSORS_H
#define VALUE_COMPRESSORS_H

#include "value_codec.h"
#include "value_limits.h"

#define VALUE_PLAIN_MAX ((size_t)1 << 30)       /* what claims to be more is damaged; more is never compressed */

enum { VALUE_LEVEL_DEFAULT = INT_MIN };

struct value_compressor {
	const char *name;
	uint32_t bits;              /* in the flags of ext-memcached; lz4 has bits of our own */
	bool readable;              /* false: its library was not there when this was built */
	/* 0: does not fit; NULL: cannot be written. The level is the library's own, or VALUE_LEVEL_DEFAULT */
	size_t (*write)(const char *from, size_t size, char *to, size_t room, int level);
	/*
	 * A new string, or NULL: damaged, or beyond the limits. plain is its size; SIZE_MAX: not known, which only zlib can
	 * do.
	 */
	zend_string *(*read)(const char *from, size_t size, size_t plain, value_limits *limits);
};

extern const value_compressor value_compressor_none;
extern const value_compressor value_compressor_zlib;
extern const value_compressor value_compressor_fastlz;
extern const value_compressor value_compressor_zstd;
extern const value_compressor value_compressor_lz4;

/* NULL: there is none of that name. */
const value_compressor *value_compressor_named(const char *name);

/* NULL: these bits are no compressor's, or it is not in this build. */
const value_compressor *value_compressor_of_bits(uint32_t bits);

#endif
