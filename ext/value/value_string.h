/*
 * Facts about strings: what one takes in a block, whether it is UTF-8, its hash. Pure functions.
 */
#ifndef VALUE_STRING_H
#define VALUE_STRING_H

#include "php.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

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

/* Whether each byte is below 0x80. */
static zend_always_inline bool value_is_ascii(const char *text, size_t length)
{
	uint64_t all = 0, word;
	size_t at = 0;

	if (length < sizeof(word)) {
		for (; at < length; at++) {
			all |= (unsigned char)text[at];
		}
		return !(all & 0x80);
	}
	for (; at < length - sizeof(word); at += sizeof(word)) {
		memcpy(&word, text + at, sizeof(word));
		all |= word;
	}
	memcpy(&word, text + length - sizeof(word), sizeof(word));
	return !((all | word) & UINT64_C(0x8080808080808080));
}

/* Strictly, as PCRE checks it: the engine skips that check for strings that carry the flag. */
static inline bool value_is_utf8(const char *text, size_t length)
{
	const unsigned char *at = (const unsigned char *)text;
	const unsigned char *end = at + length;

	if (EXPECTED(value_is_ascii(text, length))) {
		return true;
	}
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

#if defined(__x86_64__)
/*
 * h * 33^16 + b[0] * 33^15 + ... + b[15], what Bernstein's hash takes 16 steps for. Bytes are signed there; here 128 is
 * added to each, and what that comes to is taken off again.
 */
static zend_always_inline uint64_t value_hash_sixteen(uint64_t hash, const char *text)
{
	const uint64_t to_8 = UINT64_C(1406408618241);
	const uint64_t of_bias = UINT64_C(128) * ((to_8 + 1) * ((to_8 - 1) / 32));
	const __m128i zero = _mm_setzero_si128();
	const __m128i by_1 = _mm_set1_epi32(33 | 1 << 16);
	const __m128i by_2 = _mm_set1_epi32(33 * 33 | 1 << 16);
	const __m128i by_4 = _mm_set1_epi32(33 * 33 * 33 * 33);
	__m128i bytes = _mm_xor_si128(_mm_loadu_si128((const __m128i *)text), _mm_set1_epi8((char)0x80));
	__m128i pairs = _mm_packs_epi32(_mm_madd_epi16(_mm_unpacklo_epi8(bytes, zero), by_1),
		_mm_madd_epi16(_mm_unpackhi_epi8(bytes, zero), by_1));
	__m128i fours = _mm_madd_epi16(pairs, by_2);
	__m128i eights = _mm_add_epi64(_mm_mul_epu32(fours, by_4), _mm_srli_epi64(fours, 32));
	uint64_t first = (uint64_t)_mm_cvtsi128_si64(eights);
	uint64_t second = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(eights, eights));

	return hash * (to_8 * to_8) + first * to_8 + second - of_bias;
}
#endif

/* What zend_inline_hash_func() gives. */
static zend_always_inline zend_ulong value_hash(const char *text, size_t length)
{
#if defined(__x86_64__)
	uint64_t hash = 5381;

	for (; length >= 16; length -= 16, text += 16) {
		hash = value_hash_sixteen(hash, text);
	}
	for (; length; length--, text++) {
		hash = hash * 33 + (uint64_t)(signed char)*text;
	}
	return hash | UINT64_C(0x8000000000000000);
#else
	return zend_inline_hash_func(text, length);
#endif
}

#endif
