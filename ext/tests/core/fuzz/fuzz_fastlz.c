/*
 * The FastLZ decoder: any bytes, with a claimed length in the first two. And what the encoder makes of the same bytes,
 * once and many times over, is to be read back. It knows no PHP, so it is built in here.
 */
#include "../../../value/value_fastlz.c"

#include <stdlib.h>

/* So many times over that both levels are met. */
static void encode(const uint8_t *bytes, size_t size, size_t times)
{
	size_t all = size * times, room = all + all / 20 + 1;
	uint8_t *from = malloc(all), *to = malloc(room), *back = malloc(all);

	if (from && to && back) {
		for (size_t i = 0; i < times; i++) {
			memcpy(from + i * size, bytes, size);
		}
		size_t written = value_fastlz_encode(from, all, to, room);
		if (written > 0 && (!value_fastlz_decode(to, written, back, all) || memcmp(from, back, all) != 0)) {
			abort();
		}
	}
	free(from);
	free(to);
	free(back);
}

/* One input of 1,024, whatever it was made from: what one byte decides, the fuzzer would choose again and again. */
static bool is_chosen(const uint8_t *bytes, size_t size)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < size; i++) {
		hash = (hash ^ bytes[i]) * 16777619u;
	}
	return ((hash ^ hash >> 16) & 1023) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	size_t plain;
	uint8_t *to;

	if (size < 2) {
		return 0;
	}
	encode(bytes, size, 1);
	if (size < 4096 && is_chosen(bytes, size)) {
		encode(bytes, size, 70000 / size + 1);
	}
	plain = bytes[0] | (size_t)bytes[1] << 8;
	/* Of exactly this size, so that a byte too many is seen. */
	to = malloc(plain ? plain : 1);
	if (to) {
		value_fastlz_decode(bytes + 2, size - 2, to, plain);
	}
	free(to);
	return 0;
}
