#include "value_classes.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/* Objects begin with O: or C:, cases of enums with E:. */
static bool begins_object(const char *at)
{
	return at[1] == ':' && (at[0] == 'O' || at[0] == 'C' || at[0] == 'E');
}

#if defined(__x86_64__)
/* Of 16 bytes those that begin one, or that are one of seven more letters before a colon. */
static inline __m128i objects_in(const char *at)
{
	__m128i first = _mm_loadu_si128((const __m128i *)at), second = _mm_loadu_si128((const __m128i *)(at + 1));
	__m128i telling = _mm_and_si128(first, _mm_set1_epi8((char)0xf1));

	return _mm_and_si128(
		_mm_cmpeq_epi8(telling, _mm_set1_epi8(0x41)), _mm_cmpeq_epi8(second, _mm_set1_epi8(':')));
}
#endif

/* Whether there can be objects at all: quick, and seldom yes in error. */
static bool may_hold_objects(const char *bytes, size_t size)
{
	size_t at = 0;

#if defined(__x86_64__)
	for (; at + 65 <= size; at += 64) {
		__m128i found = _mm_or_si128(_mm_or_si128(objects_in(bytes + at), objects_in(bytes + at + 16)),
			_mm_or_si128(objects_in(bytes + at + 32), objects_in(bytes + at + 48)));

		if (_mm_movemask_epi8(found)) {
			for (size_t i = at; i < at + 64; i++) {
				if (begins_object(bytes + i)) {
					return true;
				}
			}
		}
	}
#endif
	for (; at + 1 < size; at++) {
		if (begins_object(bytes + at)) {
			return true;
		}
	}
	return false;
}

typedef struct place {
	const char *at, *end;
} place;

static bool take_text(place *place, const char *text)
{
	size_t size = strlen(text);

	if ((size_t)(place->end - place->at) < size || memcmp(place->at, text, size) != 0) {
		return false;
	}
	place->at += size;
	return true;
}

/* As PHP writes a count: digits alone, and no more than there can be bytes. */
static bool take_count(place *place, size_t *count)
{
	const char *first = place->at;

	for (*count = 0; place->at < place->end && *place->at >= '0' && *place->at <= '9'; place->at++) {
		if (place->at - first > 17) {
			return false;
		}
		*count = *count * 10 + (size_t)(*place->at - '0');
	}
	return place->at > first;
}

/* LENGTH:"BYTES" */
static bool take_string(place *place, const char **bytes, size_t *size)
{
	if (!take_count(place, size) || !take_text(place, ":\"") || *size > (size_t)(place->end - place->at)) {
		return false;
	}
	*bytes = place->at;
	place->at += *size;
	return take_text(place, "\"");
}

/* Numbers, up to the semicolon. */
static bool take_number(place *place)
{
	const char *first = place->at;

	while (place->at < place->end && strchr("0123456789+-.eEINFA", *place->at) && *place->at != '\0') {
		place->at++;
	}
	return place->at > first && take_text(place, ";");
}

static bool is_seen(value_class_seen seen, void *context, const char *name, size_t size, bool is_enum)
{
	return !seen || seen(context, name, size, is_enum);
}

/* Behind the letter and the colon. */
static bool take_object(place *place, char letter, value_class_seen seen, void *context)
{
	const char *name, *colon;
	size_t size, count;

	if (!take_string(place, &name, &size)) {
		return false;
	}
	if (letter == 'E') {
		colon = memchr(name, ':', size);
		return colon && is_seen(seen, context, name, (size_t)(colon - name), true) && take_text(place, ";");
	}
	if (!is_seen(seen, context, name, size, false) || !take_text(place, ":") || !take_count(place, &count)
			|| !take_text(place, ":{")) {
		return false;
	}
	if (letter == 'O') {
		return true;
	}
	if (count > (size_t)(place->end - place->at) || !value_classes_in_payload(place->at, count, seen, context)) {
		return false;
	}
	place->at += count;
	return take_text(place, "}");
}

/*
 * One after the other, since each part tells where it ends: how they are nested is for the serializer to see. It reads
 * them in this order, up to the first that it does not like.
 */
bool value_classes_in_php(const char *bytes, size_t size, value_class_seen seen, void *context)
{
	place place = { bytes, bytes + size };
	const char *text;
	size_t length;

	if (!may_hold_objects(bytes, size)) {
		return true;
	}
	while (place.end - place.at >= 2) {
		char letter = *place.at++;
		bool is_taken;

		if (letter == '}') {
			continue;
		}
		if (letter == 'N') {
			is_taken = take_text(&place, ";");
		} else if (!take_text(&place, ":")) {
			return false;
		} else if (letter == 's') {
			is_taken = take_string(&place, &text, &length) && take_text(&place, ";");
		} else if (letter == 'a') {
			is_taken = take_count(&place, &length) && take_text(&place, ":{");
		} else if (letter == 'O' || letter == 'C' || letter == 'E') {
			is_taken = take_object(&place, letter, seen, context);
		} else {
			is_taken = strchr("ibdrR", letter) && letter != '\0' && take_number(&place);
		}
		if (!is_taken) {
			return false;
		}
	}
	return place.at == place.end || *place.at == '}';
}

bool value_classes_in_payload(const char *bytes, size_t size, value_class_seen seen, void *context)
{
	place place = { bytes, bytes + size };
	const char *name, *end;
	size_t length;

	while (may_hold_objects(place.at, (size_t)(place.end - place.at))) {
		while (!begins_object(place.at)) {
			place.at++;
		}
		bool is_enum = *place.at == 'E';
		place.at += 2;
		struct place inside = place;
		/* Also with a sign, and with a length that does not fit: rather one too many. */
		take_text(&inside, "+");
		if (!take_count(&inside, &length) || !take_text(&inside, ":\"")) {
			continue;
		}
		name = inside.at;
		end = memchr(name, is_enum ? ':' : '"', (size_t)(inside.end - name));
		if (end && !is_seen(seen, context, name, (size_t)(end - name), is_enum)) {
			return false;
		}
	}
	return true;
}
