/*
 * FastLZ blocks, levels 1 and 2, as ext-memcached writes and reads them: the same bytes for the same value. Pure C: it
 * reads and writes nothing but what it is given, whatever the bytes are.
 */
#ifndef VALUE_FASTLZ_H
#define VALUE_FASTLZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VALUE_FASTLZ_RATIO = 256 };          /* no byte of a block stands for more */

/* Whether from is a whole block of exactly `plain` bytes; those are then in to. */
bool value_fastlz_decode(const uint8_t *from, size_t size, uint8_t *to, size_t plain);

/* The bytes written to `to`, of level 1 below 64 KiB and of level 2 above; 0: they do not fit, or there are none. */
size_t value_fastlz_encode(const uint8_t *from, size_t size, uint8_t *to, size_t room);

#endif
