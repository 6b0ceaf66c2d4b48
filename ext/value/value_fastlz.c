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
