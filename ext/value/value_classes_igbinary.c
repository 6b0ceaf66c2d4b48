#include "value_classes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/* The first byte of each part. */
enum {
	STRING_8 = 0x11,
	STRING_32 = 0x13,
	ARRAY_8 = 0x14,
	ARRAY_32 = 0x16,
	OBJECT_8 = 0x17,
	OBJECT_32 = 0x19,
	OBJECT_ID_8 = 0x1a,
	OBJECT_ID_32 = 0x1c,
	PAYLOAD_8 = 0x1d,
	PAYLOAD_32 = 0x1f,
	STRING_64 = 0x26,
	ENUM_CASE = 0x27,
	PARTS,
};

/* What follows it: a number of so many bytes, and behind that, for some, so many bytes more. */
enum { BYTES = 0x10 };

static const uint8_t parts[PARTS] = {
	/* references to arrays */
	[0x01] = 1, [0x02] = 2, [0x03] = 4,
	/* integers, floats */
	[0x06] = 1, [0x07] = 1, [0x08] = 2, [0x09] = 2, [0x0a] = 4, [0x0b] = 4, [0x0c] = 8,
	/* strings that were there before */
	[0x0e] = 1, [0x0f] = 2, [0x10] = 4,
	[0x11] = 1 | BYTES, [0x12] = 2 | BYTES, [0x13] = 4 | BYTES,
	[ARRAY_8] = 1, [0x15] = 2, [ARRAY_32] = 4,
	[0x17] = 1 | BYTES, [0x18] = 2 | BYTES, [0x19] = 4 | BYTES,
	[0x1a] = 1, [0x1b] = 2, [0x1c] = 4,
	[0x1d] = 1 | BYTES, [0x1e] = 2 | BYTES, [0x1f] = 4 | BYTES,
	[0x20] = 8, [0x21] = 8,
	/* references to objects; 0x25 goes before what is a reference itself */
	[0x22] = 1, [0x23] = 2, [0x24] = 4,
	[0x26] = 8 | BYTES,
};

/* The strings seen so far, to which later ones refer by their number. */
typedef struct strings {
	struct string {
		const uint8_t *bytes;
		size_t size;
	} *all, first[128];
	size_t count, room;
} strings;

static bool keep(strings *strings, const uint8_t *bytes, size_t size)
{
	if (strings->count == strings->room) {
		size_t room = strings->room * 2;
		struct string *all = realloc(strings->all == strings->first ? NULL : strings->all, room * sizeof(*all));

		if (!all) {
			return false;
		}
		if (strings->all == strings->first) {
			memcpy(all, strings->first, sizeof(strings->first));
		}
		strings->all = all;
		strings->room = room;
	}
	strings->all[strings->count++] = (struct string) { bytes, size };
	return true;
}

/* What may follow the name of a class. */
static bool is_inner(uint8_t type)
{
	return (type >= ARRAY_8 && type <= ARRAY_32) || (type >= PAYLOAD_8 && type <= PAYLOAD_32) || type == ENUM_CASE;
}

static uint64_t number_at(const uint8_t *at, uint8_t size)
{
	uint64_t number = 0;

	for (; size > 0; size--) {
		number = number << 8 | *at++;
	}
	return number;
}

/*
 * One after the other, as igbinary reads them: each part tells where it ends, and is the same wherever it stands. Only
 * behind the name of a class comes what the class is given.
 */
static bool walk(const uint8_t *at, const uint8_t *end, strings *strings, value_class_seen seen, void *context)
{
	struct string name = {0};       /* of the class whose object comes next, if is_named */
	bool is_named = false;

	while (at < end) {
		uint8_t type = *at++;
		if (type >= PARTS) {
			return false;
		}
		uint8_t width = parts[type] & ~BYTES;
		if (width > end - at) {
			return false;
		}
		uint64_t number = number_at(at, width);
		at += width;
		const uint8_t *bytes = at;
		if (parts[type] & BYTES) {
			if (number > (uint64_t)(end - at)) {
				return false;
			}
			at += number;
		}
		bool is_array = type >= ARRAY_8 && type <= ARRAY_32;
		/* Each element takes a byte at least. igbinary 3.2 breaks on an object for which it is not so. */
		if (is_array && number > (uint64_t)(end - at)) {
			return false;
		}
		if (is_named) {
			bool is_payload = type >= PAYLOAD_8 && type <= PAYLOAD_32;

			is_named = false;
			if (!is_inner(type)
					|| (seen && !seen(context, (const char *)name.bytes, name.size, type == ENUM_CASE))
					|| (is_payload
						&& !value_classes_in_payload((const char *)bytes, (size_t)number, seen, context))) {
				return false;
			}
			continue;
		}
		if ((type >= STRING_8 && type <= STRING_32) || type == STRING_64) {
			if (!keep(strings, bytes, (size_t)number)) {
				return false;
			}
		} else if (type >= OBJECT_8 && type <= OBJECT_32) {
			if (!keep(strings, bytes, (size_t)number)) {
				return false;
			}
			name = (struct string) { bytes, (size_t)number };
			is_named = true;
		} else if (type >= OBJECT_ID_8 && type <= OBJECT_ID_32) {
			if (number >= strings->count) {
				return false;
			}
			name = strings->all[number];
			is_named = true;
		} else if ((type >= PAYLOAD_8 && type <= PAYLOAD_32) || type == ENUM_CASE) {
			return false;
		}
	}
	return !is_named;
}

/* Of what PHP looks for no class: the autoloader is not asked for other names. */
static bool may_be_of_name(uint8_t byte)
{
	return byte >= 0x80 || byte == '_' || byte == '\\' || (byte >= '0' && byte <= '9')
		|| ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/*
 * By the name behind it, which igbinary looks up before it reads on. One by the number of a string that was there
 * before may be any.
 */
static bool looks_like_object(const uint8_t *at, const uint8_t *end)
{
	uint8_t width = parts[*at] & ~BYTES;

	if (!(parts[*at] & BYTES)) {
		return true;
	}
	/* Nearly all are something else, with no such length. */
	if (width + 1 > end - at || (uint64_t)at[1] << 8 * (width - 1) > (uint64_t)(end - at)) {
		return false;
	}
	uint64_t length = number_at(at + 1, width);
	at += 1 + width;
	if (length > (uint64_t)(end - at)) {
		return false;
	}
	for (const uint8_t *name = at + length; at < name; at++) {
		if (!may_be_of_name(*at)) {
			return false;
		}
	}
	return true;
}

/* Whether there can be objects at all: quick, and seldom yes in error. */
static bool may_hold_objects(const uint8_t *at, const uint8_t *end)
{
#if defined(__x86_64__)
	const __m128i first = _mm_set1_epi8(OBJECT_8), others = _mm_set1_epi8(OBJECT_ID_32 - OBJECT_8);

	for (; end - at >= 16; at += 16) {
		__m128i bytes = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)at), first);
		unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(bytes, others), bytes));

		for (; found; found &= found - 1) {
			if (looks_like_object(at + __builtin_ctz(found), end)) {
				return true;
			}
		}
	}
#endif
	for (; at < end; at++) {
		if (*at >= OBJECT_8 && *at <= OBJECT_ID_32 && looks_like_object(at, end)) {
			return true;
		}
	}
	return false;
}

bool value_classes_in_igbinary(const char *bytes, size_t size, value_class_seen seen, void *context)
{
	const uint8_t *at = (const uint8_t *)bytes;
	strings strings;

	if (size < 5 || (number_at(at, 4) != 1 && number_at(at, 4) != 2)) {
		return false;
	}
	if (!may_hold_objects(at + 4, at + size)) {
		return true;
	}
	strings.all = strings.first;
	strings.count = 0;
	strings.room = sizeof(strings.first) / sizeof(*strings.first);
	bool is_whole = walk(at + 4, at + size, &strings, seen, context);
	if (strings.all != strings.first) {
		free(strings.all);
	}
	return is_whole;
}
