/*
 * Hashes of keys and of a ring's points, equal to those of the clients that they are named for, bit for bit. Pure
 * functions.
 *
 * Where those clients add a plain char, bytes from 0x80 on count as negative (x86).
 */
#ifndef LRD_HASH_H
#define LRD_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "../base/lrd_slice.h"

typedef struct lrd_hash {
	const char *name;                                   /* as in options: "md5" */
	uint32_t (*of)(const char *bytes, size_t size);
} lrd_hash;

/* libmemcached's eight. crc is 15 bits of crc32; fnv1a_64 is its 32-bit form. */
extern const lrd_hash lrd_hash_one_at_a_time;   /* "default" there */
extern const lrd_hash lrd_hash_md5;             /* the digest's first four bytes, little-endian */
extern const lrd_hash lrd_hash_crc;
extern const lrd_hash lrd_hash_fnv1_64;
extern const lrd_hash lrd_hash_fnv1a_64;
extern const lrd_hash lrd_hash_fnv1_32;
extern const lrd_hash lrd_hash_fnv1a_32;        /* pecl-memcache's "fnv" too */
extern const lrd_hash lrd_hash_murmur;
/* pecl-memcache's default, and nginx's. */
extern const lrd_hash lrd_hash_crc32;

/* By name; NULL: there is none. */
const lrd_hash *lrd_hash_named(const char *name);

/* RFC 1321. */
void lrd_md5(const char *bytes, size_t size, unsigned char digest[16]);

/* A 64-bit hash that is well mixed in all its bits, for the default ring. The same on every machine. */
uint64_t lrd_hash_wide(const char *bytes, size_t size);

/* Its last step: each bit of x moves each bit of the result, and no two x give the same. */
static inline uint64_t lrd_mix(uint64_t x)
{
	x = (x ^ x >> 32) * UINT64_C(0xd1b54a32d192ed03);
	x = (x ^ x >> 29) * UINT64_C(0xaef17502108ef2d9);
	return x ^ x >> 32;
}

/* CRC-32 (IEEE 802.3) in steps: begin with UINT32_MAX, end by ~state. */
uint32_t lrd_crc32_step(uint32_t state, const char *bytes, size_t size);

#endif
