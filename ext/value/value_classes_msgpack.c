#include "value_classes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What follows a first byte: the number of length bytes, of bytes, and of values per counted element. */
typedef struct step {
	uint8_t length_size;
	uint8_t values;             /* per unit of length; 0: the length is one of bytes */
	uint64_t length;            /* where it lies in the first byte, or is fixed */
} step;

enum { FIRST_LONG = 0xc0, LAST_LONG = 0xdf };

static const step long_steps[LAST_LONG - FIRST_LONG + 1] = {
	[0xc4 - FIRST_LONG] = { .length_size = 1 },
	[0xc5 - FIRST_LONG] = { .length_size = 2 },
	[0xc6 - FIRST_LONG] = { .length_size = 4 },
	[0xca - FIRST_LONG] = { .length = 4 },
	[0xcb - FIRST_LONG] = { .length = 8 },
	[0xcc - FIRST_LONG] = { .length = 1 },
	[0xcd - FIRST_LONG] = { .length = 2 },
	[0xce - FIRST_LONG] = { .length = 4 },
	[0xcf - FIRST_LONG] = { .length = 8 },
	[0xd0 - FIRST_LONG] = { .length = 1 },
	[0xd1 - FIRST_LONG] = { .length = 2 },
	[0xd2 - FIRST_LONG] = { .length = 4 },
	[0xd3 - FIRST_LONG] = { .length = 8 },
	[0xd9 - FIRST_LONG] = { .length_size = 1 },
	[0xda - FIRST_LONG] = { .length_size = 2 },
	[0xdb - FIRST_LONG] = { .length_size = 4 },
	[0xdc - FIRST_LONG] = { .length_size = 2, .values = 1 },
	[0xdd - FIRST_LONG] = { .length_size = 4, .values = 1 },
	[0xde - FIRST_LONG] = { .length_size = 2, .values = 2 },
	[0xdf - FIRST_LONG] = { .length_size = 4, .values = 2 },
};

/* False: a type that is not in use, or of an extension. */
static bool step_of(unsigned char first, step *is)
{
	*is = (step) {0};
	if (first < 0x80 || first >= 0xe0) {
		return true;
	}
	if (first < 0xa0) {
		is->length = first & 0x0f;
		is->values = first < 0x90 ? 2 : 1;
		return true;
	}
	if (first < FIRST_LONG) {
		is->length = first & 0x1f;
		return true;
	}
	*is = long_steps[first - FIRST_LONG];
	return first != 0xc1 && !(first >= 0xc7 && first <= 0xc9) && !(first >= 0xd4 && first <= 0xd8);
}

/* ---- maps ---- */

enum {
	NIL = 0xc0,
	WORD = 0xcf,                /* may be more than an integer holds, and is a string then */

	/* What the number behind a first key nil stands for: not a class, but another way to fill its place. */
	TAG_REFERENCE = 1,          /* an array or object follows, as a reference */
	TAG_RECURSIVE = 2,          /* these three: the number of a value that was there before */
	TAG_CUSTOM = 3,             /* the class, and the bytes that it takes as a Serializable */
	TAG_OBJECT = 4,
	TAG_OBJECT_REFERENCE = 5,
	TAG_ENUM = 6,               /* the enum and its case */

	KEPT = 64,
};

/* An array or map that is open: how many keys and values are to come. */
typedef struct level {
	uint64_t left, size;
	bool is_map, is_object, is_reference;
} level;

typedef struct walk {
	const unsigned char *at, *end;
	value_class_seen seen;
	void *context;
	level *levels, first[KEPT];
	size_t depth, room;
} walk;

typedef struct part {
	unsigned char first;
	bool is_text, is_number, is_container, is_map;
	uint64_t length;            /* of a text; of a container, in parts */
	const unsigned char *bytes; /* of a text */
} part;

static bool take(walk *walk, part *part)
{
	step is;

	if (walk->at == walk->end || !step_of(*walk->at, &is)) {
		return false;
	}
	*part = (struct part) { .first = *walk->at++ };
	if (is.length_size > walk->end - walk->at) {
		return false;
	}
	for (; is.length_size > 0; is.length_size--) {
		is.length = is.length << 8 | *walk->at++;
	}
	if (is.values > 0) {
		part->is_container = true;
		part->is_map = is.values == 2;
		part->length = is.length * is.values;
		/* Each takes a byte at least. */
		return part->length <= (uint64_t)(walk->end - walk->at);
	}
	if (is.length > (uint64_t)(walk->end - walk->at)) {
		return false;
	}
	part->is_text = (part->first >= 0xa0 && part->first <= 0xbf) || (part->first >= 0xc4 && part->first <= 0xc6)
		|| (part->first >= 0xd9 && part->first <= 0xdb);
	part->is_number = part->first < 0x80 || part->first >= 0xe0 || (part->first >= 0xcc && part->first <= 0xd3);
	part->length = is.length;
	part->bytes = walk->at;
	walk->at += is.length;
	return true;
}

static bool is_seen(const walk *walk, const char *name, size_t size, bool is_enum)
{
	return !walk->seen || walk->seen(walk->context, name, size, is_enum);
}

static bool open_level(walk *walk, const part *part)
{
	static const char empty[] = "stdClass";

	if (part->length == 0) {
		return !part->is_map || is_seen(walk, empty, sizeof(empty) - 1, false);
	}
	if (walk->depth == walk->room) {
		size_t room = walk->room * 2;
		level *levels = realloc(walk->levels == walk->first ? NULL : walk->levels, room * sizeof(*levels));

		if (!levels) {
			return false;
		}
		if (walk->levels == walk->first) {
			memcpy(levels, walk->first, sizeof(walk->first));
		}
		walk->levels = levels;
		walk->room = room;
	}
	walk->levels[walk->depth++] = (level) {
		.left = part->length, .size = part->length, .is_map = part->is_map};
	return true;
}

static bool is_name_seen(const walk *walk, const part *name, bool is_enum)
{
	return is_seen(walk, (const char *)name->bytes, (size_t)name->length, is_enum);
}

/* A map that is no map: what lies in it is taken whole. */
static bool take_tagged(walk *walk, unsigned char tag)
{
	part key, value;

	/*
	 * Whoever asks for classes distrusts the bytes. Then only the class that reads its own: of the others the extension
	 * (2.2.0, 3.0.0) reads what it has freed, or calls what is no enum one.
	 */
	if (!take(walk, &key) || !take(walk, &value) || (walk->seen && tag != TAG_CUSTOM)) {
		return false;
	}
	switch (tag) {
		case TAG_RECURSIVE:
		case TAG_OBJECT:
		case TAG_OBJECT_REFERENCE:
			return key.is_number && key.first != WORD && value.is_number && value.first != WORD;
		case TAG_CUSTOM:
			return key.is_text && value.is_text && is_name_seen(walk, &key, false)
				&& value_classes_in_payload(
					(const char *)value.bytes, (size_t)value.length, walk->seen, walk->context);
		case TAG_ENUM:
			return key.is_text && value.is_text;
		default:
			return false;
	}
}

/*
 * Behind a key nil, where the extension writes one: first the class, perhaps behind the tag for a reference; second and
 * last what the class gave for itself; first of two pairs another tag. It and its key are counted here.
 */
static bool take_nameless(walk *walk, level *level)
{
	bool is_first = level->left == level->size;
	bool is_second = level->left == level->size - 2;
	part value;

	if (!take(walk, &value)) {
		return false;
	}
	level->left -= 2;
	if (value.is_text) {
		bool is_begin = is_first || (is_second && level->is_reference);
		level->is_object = true;
		return is_begin && is_name_seen(walk, &value, false);
	}
	if (value.first == TAG_REFERENCE) {
		level->is_reference = true;
		return is_first;
	}
	if (value.is_container) {
		return is_second && level->is_object && level->left == 0 && open_level(walk, &value);
	}
	if (!value.is_number || !is_first || level->size != 4 || !take_tagged(walk, value.first)) {
		return false;
	}
	level->left = 0;
	return true;
}

static bool take_in(walk *walk)
{
	level *level = &walk->levels[walk->depth - 1];
	part part;

	if (level->left == 0) {
		walk->depth--;
		return true;
	}
	bool is_key = level->is_map && level->left % 2 == 0;
	if (!take(walk, &part)) {
		return false;
	}
	if (is_key && part.first == NIL) {
		return take_nameless(walk, level);
	}
	if (is_key && !part.is_text && !part.is_number) {
		return false;
	}
	level->left--;
	return !part.is_container || open_level(walk, &part);
}

bool value_classes_in_msgpack(const char *bytes, size_t size, value_class_seen seen, void *context)
{
	walk walk = {
		.at = (const unsigned char *)bytes,
		.end = (const unsigned char *)bytes + size,
		.seen = seen,
		.context = context,
		.depth = 1,
		.room = KEPT,
	};
	bool is_whole = true;

	walk.levels = walk.first;
	walk.first[0] = (level) { .left = 1 };
	while (is_whole && walk.depth > 0) {
		is_whole = take_in(&walk);
	}
	if (walk.levels != walk.first) {
		free(walk.levels);
	}
	return is_whole && walk.at == walk.end;
}
