#include "value_compressors.h"
#include "value_fastlz.h"

#ifdef LARDER_WITH_ZLIB
# include <zlib.h>
#endif
#ifdef LARDER_WITH_ZSTD
# include <zstd.h>
#endif
#ifdef LARDER_WITH_LZ4
# include <lz4.h>
#endif

enum {
	ZLIB_LEVEL = 3,             /* a cache is written often; 6 takes twice the time for some percent */
	ZSTD_LEVEL = 3,
	LZ4_RATIO = 255,            /* no byte of the compressed form can stand for more */
	ZSTD_RATIO = 32768,         /* a block of 4 bytes can stand for 128 KiB */
	ZLIB_FIRST_RATIO = 8,       /* the first guess when the room has to be found by trying, */
	ZLIB_FIRST_MAX = 1 << 20,   /* as far as that is not much; */
	ZLIB_STEP = 1 << 20,        /* and what comes out between two looks at the clock */
	ZLIB_RATIO = 1032,          /* no bit of a stream can stand for more than 129 bytes */
};

/*
 * Room for a size that the bytes claim; NULL when so few cannot stand for so many. Damaged bytes so never make us ask
 * for much.
 */
static zend_string *room_for(size_t plain, size_t size, size_t ratio, value_limits *limits)
{
	if (plain > VALUE_PLAIN_MAX || plain / ratio > size || !value_within(limits, plain)) {
		return NULL;
	}
	return zend_string_alloc(plain, false);
}

static zend_string *finish(zend_string *bytes, bool good)
{
	if (!good) {
		zend_string_efree(bytes);
		return NULL;
	}
	ZSTR_VAL(bytes)[ZSTR_LEN(bytes)] = '\0';
	return bytes;
}

static size_t write_fastlz(const char *from, size_t size, char *to, size_t room, int level)
{
	return value_fastlz_encode((const uint8_t *)from, size, (uint8_t *)to, room);
}

static zend_string *read_fastlz(const char *from, size_t size, size_t plain, value_limits *limits)
{
	zend_string *bytes = room_for(plain, size, VALUE_FASTLZ_RATIO, limits);

	return bytes
		? finish(bytes, value_fastlz_decode((const uint8_t *)from, size, (uint8_t *)ZSTR_VAL(bytes), plain))
		: NULL;
}

#ifdef LARDER_WITH_ZLIB
static size_t write_zlib(const char *from, size_t size, char *to, size_t room, int level)
{
	uLongf written = room;

	level = level == VALUE_LEVEL_DEFAULT ? ZLIB_LEVEL : level;
	return compress2((Bytef *)to, &written, (const Bytef *)from, size, level) == Z_OK ? written : 0;
}

/* Grows with what really comes out: the form of pecl-memcache has no length, and a wrong one costs nothing. */
static zend_string *inflate_all(z_stream *stream, size_t most, value_limits *limits)
{
	size_t room = MIN(most, (size_t)stream->avail_in * ZLIB_FIRST_RATIO + 64);
	zend_string *bytes;
	int code = Z_OK;

	room = MIN(room, ZLIB_FIRST_MAX);
	if (!value_fits_memory(room)) {
		limits->excess = VALUE_EXCESS_MEMORY;
		return NULL;
	}
	bytes = zend_string_alloc(room, false);
	while (code == Z_OK && value_in_time(limits)) {
		if (stream->total_out == room) {
			/* At the end of all room inflate() has said whether that was the end. */
			if (room == most || !value_within(limits, MIN(most - 1, room * 2))) {
				break;
			}
			room = MIN(most, room * 2);
			bytes = zend_string_extend(bytes, room, false);
		}
		stream->next_out = (Bytef *)ZSTR_VAL(bytes) + stream->total_out;
		stream->avail_out = (uInt)MIN(room - stream->total_out, ZLIB_STEP);
		code = inflate(stream, Z_NO_FLUSH);
		if (code == Z_OK && stream->avail_out > 0) {
			break;
		}
	}
	if (code == Z_OK && room == most && stream->total_out == most && most == limits->most + 1) {
		limits->excess = VALUE_EXCESS_SIZE;
		limits->size = most;
	}
	if (code != Z_STREAM_END || stream->avail_in > 0) {
		zend_string_efree(bytes);
		return NULL;
	}
	return finish(zend_string_truncate(bytes, stream->total_out, false), true);
}

/* At the limit itself inflate() may still have its checksum to read: one byte more of room lets it. */
static zend_string *read_zlib(const char *from, size_t size, size_t plain, value_limits *limits)
{
	z_stream stream = { .next_in = (z_const Bytef *)from, .avail_in = (uInt)size };
	zend_string *bytes;

	bool is_known = plain != SIZE_MAX;

	if (is_known && (plain > VALUE_PLAIN_MAX || plain / ZLIB_RATIO > size || !value_within(limits, plain))) {
		return NULL;
	}
	if (size > VALUE_PLAIN_MAX || inflateInit(&stream) != Z_OK) {
		return NULL;
	}
	bytes = inflate_all(&stream, (is_known ? plain : MIN(limits->most, VALUE_PLAIN_MAX)) + 1, limits);
	inflateEnd(&stream);
	if (bytes && is_known && ZSTR_LEN(bytes) != plain) {
		zend_string_efree(bytes);
		return NULL;
	}
	return bytes;
}
#endif

#ifdef LARDER_WITH_ZSTD
/* ZSTD_compress() writes the size of the content into the frame, as ext-memcached's reader wants it. */
static size_t write_zstd(const char *from, size_t size, char *to, size_t room, int level)
{
	size_t written = ZSTD_compress(to, room, from, size, level == VALUE_LEVEL_DEFAULT ? ZSTD_LEVEL : level);

	return ZSTD_isError(written) ? 0 : written;
}

static zend_string *read_zstd(const char *from, size_t size, size_t plain, value_limits *limits)
{
	zend_string *bytes;

	if (ZSTD_getFrameContentSize(from, size) != plain) {
		return NULL;
	}
	bytes = room_for(plain, size, ZSTD_RATIO, limits);
	return bytes ? finish(bytes, ZSTD_decompress(ZSTR_VAL(bytes), plain, from, size) == plain) : NULL;
}
#endif

#ifdef LARDER_WITH_LZ4
static size_t write_lz4(const char *from, size_t size, char *to, size_t room, int level)
{
	int written = LZ4_compress_default(from, to, (int)size, (int)MIN(room, VALUE_PLAIN_MAX));

	return written > 0 ? (size_t)written : 0;
}

static zend_string *read_lz4(const char *from, size_t size, size_t plain, value_limits *limits)
{
	zend_string *bytes = size <= VALUE_PLAIN_MAX ? room_for(plain, size, LZ4_RATIO, limits) : NULL;
	int written;

	if (!bytes) {
		return NULL;
	}
	written = LZ4_decompress_safe(from, ZSTR_VAL(bytes), (int)size, (int)plain);
	return finish(bytes, written >= 0 && (size_t)written == plain);
}
#endif

const value_compressor value_compressor_none = { .name = "none", .readable = true };
const value_compressor value_compressor_fastlz = {
	.name = "fastlz", .bits = 0x0050, .readable = true, .write = write_fastlz, .read = read_fastlz
};

const value_compressor value_compressor_zlib = {
	.name = "zlib",
	.bits = 0x0030,
#ifdef LARDER_WITH_ZLIB
	.readable = true,
	.write = write_zlib,
	.read = read_zlib,
#endif
};

const value_compressor value_compressor_zstd = {
	.name = "zstd",
	.bits = 0x0090,
#ifdef LARDER_WITH_ZSTD
	.readable = true,
	.write = write_zstd,
	.read = read_zstd,
#endif
};

const value_compressor value_compressor_lz4 = {
	.name = "lz4",
	.bits = 0x0110,
#ifdef LARDER_WITH_LZ4
	.readable = true,
	.write = write_lz4,
	.read = read_lz4,
#endif
};

static const value_compressor *const compressors[] = {
	&value_compressor_none,
	&value_compressor_zlib,
	&value_compressor_fastlz,
	&value_compressor_zstd,
	&value_compressor_lz4,
};

const value_compressor *value_compressor_named(const char *name)
{
	for (size_t i = 0; i < sizeof(compressors) / sizeof(*compressors); i++) {
		if (strcmp(compressors[i]->name, name) == 0) {
			return compressors[i];
		}
	}
	return NULL;
}

const value_compressor *value_compressor_of_bits(uint32_t bits)
{
	for (size_t i = 0; i < sizeof(compressors) / sizeof(*compressors); i++) {
		if (compressors[i]->bits == bits && compressors[i]->read) {
			return compressors[i];
		}
	}
	return NULL;
}
