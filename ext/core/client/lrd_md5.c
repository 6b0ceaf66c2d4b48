/* MD5, as RFC 1321 has it: for points of a ring and names of leases, where a collision gains an attacker nothing. */
#include "lrd_hash.h"

enum { BLOCK = 64, LENGTH_AT = 56 };

/* The fractions of |sin(1)| to |sin(64)|. */
static const uint32_t sines[64] = {
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
	0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
	0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
	0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
	0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
	0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static const unsigned char turns[4][4] = { { 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 } };

static inline uint32_t turn_left(uint32_t x, unsigned bits)
{
	return x << bits | x >> (32 - bits);
}

static inline uint32_t word_at(const unsigned char *at)
{
	return (uint32_t) at[0] | (uint32_t) at[1] << 8 | (uint32_t) at[2] << 16 | (uint32_t) at[3] << 24;
}

/* The round's function of three words, and which word of the block its step takes. */
static inline uint32_t chosen(unsigned step, uint32_t b, uint32_t c, uint32_t d, unsigned *word)
{
	switch (step / 16) {
		case 0: *word = step; return (b & c) | (~b & d);
		case 1: *word = (5 * step + 1) % 16; return (d & b) | (~d & c);
		case 2: *word = (3 * step + 5) % 16; return b ^ c ^ d;
		default: *word = 7 * step % 16; return c ^ (b | ~d);
	}
}

static void add_block(uint32_t state[4], const unsigned char *block)
{
	uint32_t words[16], a = state[0], b = state[1], c = state[2], d = state[3];
	for (unsigned i = 0; i < 16; i++) {
		words[i] = word_at(block + 4 * (size_t) i);
	}
	for (unsigned step = 0; step < 64; step++) {
		unsigned word;
		uint32_t f = a + chosen(step, b, c, d, &word) + sines[step];
		a = d;
		d = c;
		c = b;
		b += turn_left(f + words[word], turns[step / 16][step % 4]);
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
}

void lrd_md5(const char *bytes, size_t size, unsigned char digest[16])
{
	uint32_t state[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
	size_t left = size;
	for (; left >= BLOCK; bytes += BLOCK, left -= BLOCK) {
		add_block(state, (const unsigned char *) bytes);
	}
	unsigned char last[BLOCK] = { 0 };
	if (left > 0) {
		memcpy(last, bytes, left);
	}
	last[left] = 0x80;
	if (left >= LENGTH_AT) {
		add_block(state, last);
		memset(last, 0, BLOCK);
	}
	uint64_t bits = (uint64_t) size * 8;
	for (unsigned i = 0; i < 8; i++) {
		last[LENGTH_AT + i] = (unsigned char) (bits >> (8 * i));
	}
	add_block(state, last);
	for (unsigned i = 0; i < 16; i++) {
		digest[i] = (unsigned char) (state[i / 4] >> (8 * (i % 4)));
	}
}
