/*
 * A block is a row of steps. A step's first byte below 32 is a run of literals, else a match: three bits of length,
 * then the high five bits of how far back it starts. The first step is always literals; the high bits of its byte tell
 * the level.
 */
#include "value_fastlz.h"

#include <string.h>

enum {
	LONGEST_IN_STEP = 6,        /* a length field of 7: more follows */
	SHORTEST_MATCH = 3,
	NEAR = 8191,                /* level 2: from here on a distance takes two bytes more */
};

typedef struct cursor {
	const uint8_t *from, *from_end;
	uint8_t *start, *to, *to_end;
} cursor;

static bool take(cursor *at, size_t *byte)
{
	if (at->from == at->from_end) {
		return false;
	}
	*byte = *at->from++;
	return true;
}

static bool copy_literals(cursor *at, size_t count)
{
	if (count > (size_t)(at->from_end - at->from) || count > (size_t)(at->to_end - at->to)) {
		return false;
	}
	memcpy(at->to, at->from, count);
	at->from += count;
	at->to += count;
	return true;
}

/* The match may overlap what it makes: it then repeats. */
static bool copy_match(cursor *at, size_t distance, size_t count)
{
	const uint8_t *match = at->to - distance;

	if (count > (size_t)(at->to_end - at->to)) {
		return false;
	}
	if (distance >= count) {
		memcpy(at->to, match, count);
		at->to += count;
		return true;
	}
	for (size_t i = 0; i < count; i++) {
		*at->to++ = match[i];
	}
	return true;
}

static bool match_length(cursor *at, bool level2, size_t *length)
{
	size_t more;

	if (*length != LONGEST_IN_STEP) {
		return true;
	}
	do {
		if (!take(at, &more)) {
			return false;
		}
		*length += more;
	} while (level2 && more == 255);
	return true;
}

static bool match_distance(cursor *at, bool level2, size_t high, size_t *distance)
{
	size_t low, far_high, far_low;

	if (!take(at, &low)) {
		return false;
	}
	*distance = (high << 8) + low + 1;
	if (level2 && *distance == NEAR + 1) {
		if (!take(at, &far_high) || !take(at, &far_low)) {
			return false;
		}
		*distance += (far_high << 8) + far_low;
	}
	return *distance <= (size_t)(at->to - at->start);
}

bool value_fastlz_decode(const uint8_t *from, size_t size, uint8_t *to, size_t plain)
{
	cursor at = { .from = from, .from_end = from + size, .start = to, .to = to, .to_end = to + plain };
	size_t step, length, distance;
	bool level2;

	if (!take(&at, &step) || step >> 5 > 1) {
		return false;
	}
	level2 = step >> 5 == 1;
	step &= 31;
	do {
		if (step < 32) {
			if (!copy_literals(&at, step + 1)) {
				return false;
			}
			continue;
		}
		length = (step >> 5) - 1;
		if (!match_length(&at, level2, &length) || !match_distance(&at, level2, step & 31, &distance)
			|| !copy_match(&at, distance, length + SHORTEST_MATCH)) {
			return false;
		}
	} while (take(&at, &step));
	return at.to == at.to_end;
}

/* ---- writing ---- */

enum {
	LITERALS_MAX = 32,
	PLACES = 1 << 13,
	TAIL = 12,                  /* bytes at the end that begin no match */
	BOUND = 2,                  /* and those that none reaches */
	UNBOUNDED = 8,              /* bytes of a match that are compared before its end is looked for */
	LONGEST_LEVEL1 = 262,       /* of a length as it is written: the match's less 2 */
	FAR_SHORTEST = 5,
	LEVEL2_FROM = 65536,
};

static const size_t near_level1 = 8192, far_level2 = 65535 + NEAR - 1;

typedef struct writer {
	const uint8_t *from;
	size_t size, at;
	uint8_t *to;
	size_t used, room;
	size_t literals;            /* of the step that is open; its first byte is in `to` before them */
	bool level2, is_full;
	uint32_t places[PLACES];    /* by the hash of three bytes: where they were seen last */
} writer;

static void put(writer *out, size_t byte)
{
	if (out->used == out->room) {
		out->is_full = true;
		return;
	}
	out->to[out->used++] = (uint8_t) byte;
}

static uint32_t two_bytes(const uint8_t *at)
{
	return (uint32_t) at[0] | (uint32_t) at[1] << 8;
}

static uint32_t *place_of(writer *out, size_t at)
{
	uint32_t first = two_bytes(out->from + at);
	return &out->places[(first ^ two_bytes(out->from + at + 1) ^ first >> 3) % PLACES];
}

static void put_literal(writer *out)
{
	put(out, out->from[out->at++]);
	if (++out->literals == LITERALS_MAX) {
		out->literals = 0;
		put(out, LITERALS_MAX - 1);
	}
}

/* Ends the step of literals; one without any goes. */
static void close_literals(writer *out)
{
	if (out->is_full) {
		return;
	}
	if (out->literals > 0) {
		out->to[out->used - out->literals - 1] = (uint8_t) (out->literals - 1);
	} else {
		out->used--;
	}
	out->literals = 0;
}

static void put_level1(writer *out, size_t length, size_t distance)
{
	for (; length > LONGEST_LEVEL1; length -= LONGEST_LEVEL1) {
		put(out, (7 << 5) + (distance >> 8));
		put(out, LONGEST_LEVEL1 - 7 - 2);
		put(out, distance & 255);
	}
	put(out, ((length < 7 ? length : 7) << 5) + (distance >> 8));
	if (length >= 7) {
		put(out, length - 7);
	}
	put(out, distance & 255);
}

static void put_level2(writer *out, size_t length, size_t distance)
{
	bool is_far = distance >= NEAR;
	put(out, ((length < 7 ? length : 7) << 5) + (is_far ? 31 : distance >> 8));
	if (length >= 7) {
		for (length -= 7; length >= 255; length -= 255) {
			put(out, 255);
		}
		put(out, length);
	}
	if (is_far) {
		put(out, 255);
		put(out, (distance - NEAR) >> 8);
		put(out, (distance - NEAR) & 255);
	} else {
		put(out, distance & 255);
	}
}

/* How many bytes at `at` are sure to be the ones that lie `*distance` before them; 0: no match begins there. */
static size_t find_match(writer *out, size_t *distance)
{
	const uint8_t *at = out->from + out->at;
	if (out->level2 && at[0] == at[-1] && two_bytes(at - 1) == two_bytes(at + 1)) {
		*distance = 1;
		return SHORTEST_MATCH;
	}
	uint32_t *place = place_of(out, out->at);
	*distance = out->at - *place;
	*place = (uint32_t) out->at;
	if (*distance == 0 || *distance >= (out->level2 ? far_level2 : near_level1)) {
		return 0;
	}
	size_t least = out->level2 && *distance >= NEAR ? FAR_SHORTEST : SHORTEST_MATCH;
	return memcmp(at, at - *distance, least) == 0 ? least : 0;
}

/*
 * Where the match ends, and one more. The last bytes are compared in blocks without a look at the end, which decides
 * how far a match close to it reaches.
 */
static size_t end_of_match(const writer *out, size_t at, size_t distance)
{
	const size_t bound = out->size - BOUND;
	size_t unbounded = distance > 1 ? UNBOUNDED : 0;
	for (; at < bound || unbounded > 0; at++) {
		if (out->from[at] != out->from[at - distance]) {
			return at + 1;
		}
		unbounded -= unbounded > 0;
	}
	return at;
}

/* The same for a run of one byte, which is compared with the byte before each. */
static size_t end_of_run(const writer *out, size_t at)
{
	const uint8_t byte = out->from[at - 1];
	size_t before = at - 1;
	while (at < out->size - BOUND && out->from[before] == byte) {
		before++;
		at++;
	}
	return at;
}

static void put_match(writer *out, size_t sure, size_t distance)
{
	size_t begin = out->at;
	size_t end = distance == 1 ? end_of_run(out, begin + sure) : end_of_match(out, begin + sure, distance);
	close_literals(out);
	out->at = end - 3;
	(out->level2 ? put_level2 : put_level1)(out, out->at - begin, distance - 1);
	for (int i = 0; i < 2; i++) {
		*place_of(out, out->at) = (uint32_t) out->at;
		out->at++;
	}
	put(out, LITERALS_MAX - 1);
}

size_t value_fastlz_encode(const uint8_t *from, size_t size, uint8_t *to, size_t room)
{
	writer out = { .from = from, .size = size, .to = to, .room = room, .level2 = size >= LEVEL2_FROM };
	size_t distance, sure;

	if (size == 0 || size > UINT32_MAX) {
		return 0;
	}
	put(&out, LITERALS_MAX - 1);
	if (size >= 4) {
		put_literal(&out);
		put_literal(&out);
	}
	while (size > TAIL && out.at < size - TAIL && !out.is_full) {
		sure = find_match(&out, &distance);
		if (sure > 0) {
			put_match(&out, sure, distance);
		} else {
			put_literal(&out);
		}
	}
	while (out.at < size && !out.is_full) {
		put_literal(&out);
	}
	close_literals(&out);
	if (out.is_full) {
		return 0;
	}
	to[0] |= out.level2 ? 1 << 5 : 0;
	return out.used;
}
