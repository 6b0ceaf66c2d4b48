#include "value_serializers_msgpack.h"

#include <stdint.h>

/* What follows a first byte: the number of length bytes, of bytes, and of values per counted element. */
typedef struct step {
	uint8_t length_size;
	uint8_t values;             /* per unit of length; 0: the length is one of bytes */
	uint64_t length;            /* where it lies in the first byte, or is fixed */
} step;

enum { FIRST_LONG = 0xc0, LAST_LONG = 0xdf };

static const step long_steps[LAST_LONG - FIRST_LONG + 1] = {
	[0xc4 - FIRST_LONG] = { .length_size = 1 },
	[0xc5 - FIRST_LONG] = { .length_size = 2 },
	[0xc6 - FIRST_LONG] = { .length_size = 4 },
	[0xca - FIRST_LONG] = { .length = 4 },
	[0xcb - FIRST_LONG] = { .length = 8 },
	[0xcc - FIRST_LONG] = { .length = 1 },
	[0xcd - FIRST_LONG] = { .length = 2 },
	[0xce - FIRST_LONG] = { .length = 4 },
	[0xcf - FIRST_LONG] = { .length = 8 },
	[0xd0 - FIRST_LONG] = { .length = 1 },
	[0xd1 - FIRST_LONG] = { .length = 2 },
	[0xd2 - FIRST_LONG] = { .length = 4 },
	[0xd3 - FIRST_LONG] = { .length = 8 },
	[0xd9 - FIRST_LONG] = { .length_size = 1 },
	[0xda - FIRST_LONG] = { .length_size = 2 },
	[0xdb - FIRST_LONG] = { .length_size = 4 },
	[0xdc - FIRST_LONG] = { .length_size = 2, .values = 1 },
	[0xdd - FIRST_LONG] = { .length_size = 4, .values = 1 },
	[0xde - FIRST_LONG] = { .length_size = 2, .values = 2 },
	[0xdf - FIRST_LONG] = { .length_size = 4, .values = 2 },
};

/* False: a type that is not in use, or of an extension. */
static bool step_of(unsigned char first, step *is)
{
	*is = (step) {0};
	if (first < 0x80 || first >= 0xe0) {
		return true;
	}
	if (first < 0xa0) {
		is->length = first & 0x0f;
		is->values = first < 0x90 ? 2 : 1;
		return true;
	}
	if (first < FIRST_LONG) {
		is->length = first & 0x1f;
		return true;
	}
	*is = long_steps[first - FIRST_LONG];
	return first != 0xc1 && !(first >= 0xc7 && first <= 0xc9) && !(first >= 0xd4 && first <= 0xd8);
}

bool value_msgpack_is_whole(const char *bytes, size_t size)
{
	const unsigned char *at = (const unsigned char *)bytes;
	const unsigned char *end = at + size;
	uint64_t values = 1;        /* still to come; each takes a byte at least */
	step is;

	while (values > 0) {
		if (values > (size_t)(end - at) || !step_of(*at++, &is) || is.length_size > end - at) {
			return false;
		}
		for (; is.length_size > 0; is.length_size--) {
			is.length = is.length << 8 | *at++;
		}
		values--;
		if (is.values > 0) {
			values += is.length * is.values;
			continue;
		}
		if (is.length > (size_t)(end - at)) {
			return false;
		}
		at += is.length;
	}
	return at == end;
}
