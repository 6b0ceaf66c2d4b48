/* How keys are sent. Eight bytes are looked at together: almost no key needs base64. */
#include <string.h>

#include "lrd_proto.h"

#define EVERY_BYTE(value) (UINT64_C(0x0101010101010101) * (value))

/* Whether one of eight bytes is up to 0x20 or 0x7f; a borrow can only mark a byte above one that is. */
static bool has_control(uint64_t eight)
{
	uint64_t delete = eight ^ EVERY_BYTE(0x7f);
	uint64_t low = (eight - EVERY_BYTE(0x21)) & ~eight;
	return ((low | ((delete - EVERY_BYTE(1)) & ~delete)) & EVERY_BYTE(0x80)) != 0;
}

static bool needs_base64(lrd_slice key)
{
	uint64_t eight = EVERY_BYTE('a');
	if (key.size < sizeof eight) {
		memcpy(&eight, key.bytes, key.size);
		return has_control(eight);
	}
	for (size_t i = 0; i + sizeof eight < key.size; i += sizeof eight) {
		memcpy(&eight, key.bytes + i, sizeof eight);
		if (has_control(eight)) {
			return true;
		}
	}
	memcpy(&eight, key.bytes + key.size - sizeof eight, sizeof eight);
	return has_control(eight);
}

bool lrd_proto_key(lrd_slice key, char at[LRD_WIRE_KEY_MAX], lrd_slice *wire, bool *is_base64)
{
	if (key.size == 0 || key.size > LRD_WIRE_KEY_MAX) {
		return false;
	}
	*is_base64 = needs_base64(key);
	*wire = key;
	if (*is_base64) {
		if ((key.size + 2) / 3 * 4 > LRD_WIRE_KEY_MAX) {
			return false;
		}
		*wire = (lrd_slice) { at, lrd_base64(at, key.bytes, key.size) };
	}
	return true;
}

size_t lrd_base64(char *at, const char *bytes, size_t size)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *from = (const unsigned char *) bytes;
	char *to = at;
	for (; size >= 3; size -= 3, from += 3, to += 4) {
		uint32_t three = (uint32_t) from[0] << 16 | (uint32_t) from[1] << 8 | from[2];
		to[0] = letters[three >> 18];
		to[1] = letters[three >> 12 & 63];
		to[2] = letters[three >> 6 & 63];
		to[3] = letters[three & 63];
	}
	if (size > 0) {
		uint32_t rest = (uint32_t) from[0] << 16 | (size == 2 ? (uint32_t) from[1] << 8 : 0);
		to[0] = letters[rest >> 18];
		to[1] = letters[rest >> 12 & 63];
		to[2] = size == 2 ? letters[rest >> 6 & 63] : '=';
		to[3] = '=';
		to += 4;
	}
	return (size_t) (to - at);
}
