/*
 * The FastLZ decoder and the look at msgpack: any bytes, with a claimed length in the first two. Neither knows PHP, so
 * they are built in here.
 */
#include "../../../value/value_fastlz.c"
#include "../../../value/value_serializers_msgpack.c"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	size_t plain;
	uint8_t *to;

	value_msgpack_is_whole((const char *)bytes, size);
	if (size < 2) {
		return 0;
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
