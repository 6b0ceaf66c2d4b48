/*
 * Facts about strings: what one takes in a block, and whether it is UTF-8. Pure functions.
 */
#ifndef VALUE_STRING_H
#define VALUE_STRING_H

#include "php.h"

/* Bytes of a zend_string of this length, a multiple of 8; SIZE_MAX when there is no such size. */
static inline size_t value_string_bytes(size_t length)
{
	if (UNEXPECTED(length > SIZE_MAX - _ZSTR_HEADER_SIZE - 8)) {
		return SIZE_MAX;
	}
	return (_ZSTR_HEADER_SIZE + length + 1 + 7) & ~(size_t)7;
}

/* Bytes of the character that starts at `text`, with at least one byte left; 0 when it is none. */
static inline size_t value_utf8_step(const unsigned char *text, size_t left)
{
	unsigned char first = text[0];
	unsigned char low = 0x80, high = 0xbf;
	size_t length;

	if (first < 0x80) {
		return 1;
	}
	if (first >= 0xc2 && first <= 0xdf) {
		length = 2;
	} else if ((first & 0xf0) == 0xe0) {
		length = 3;
		low = first == 0xe0 ? 0xa0 : 0x80;      /* shorter forms exist below */
		high = first == 0xed ? 0x9f : 0xbf;     /* surrogates above */
	} else if (first >= 0xf0 && first <= 0xf4) {
		length = 4;
		low = first == 0xf0 ? 0x90 : 0x80;
		high = first == 0xf4 ? 0x8f : 0xbf;     /* U+10FFFF is the last */
	} else {
		return 0;
	}
	if (left < length || text[1] < low || text[1] > high) {
		return 0;
	}
	for (size_t i = 2; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80) {
			return 0;
		}
	}
	return length;
}

/* Strictly, as PCRE checks it: the engine skips that check for strings that carry the flag. */
static inline bool value_is_utf8(const char *text, size_t length)
{
	const unsigned char *at = (const unsigned char *)text;
	const unsigned char *end = at + length;

	while (at < end) {
		uint64_t word;
		size_t step;

		if ((size_t)(end - at) >= sizeof(word)) {
			memcpy(&word, at, sizeof(word));
			if (!(word & UINT64_C(0x8080808080808080))) {
				at += sizeof(word);
				continue;
			}
		}
		step = value_utf8_step(at, (size_t)(end - at));
		if (!step) {
			return false;
		}
		at += step;
	}
	return true;
}

#endif
