/*
 * A configuration: a line for the ring, one for its hash, then a server a line, the first byte of which makes its
 * weight. What is read must be a part of the text and fit its form; a ring of it must find a server for any key, and
 * then all others, none twice.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../../core/client/lrd_address.h"
#include "../../../core/client/lrd_ring.h"

enum { SERVERS = 6, NAME = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
	if (!holds) {
		__builtin_trap();
	}
}

/* Up to the next line feed; takes it off the text. */
static lrd_slice line_of(lrd_slice *text)
{
	const char *end = text->size == 0 ? NULL : memchr(text->bytes, '\n', text->size);
	lrd_slice line = { text->bytes, end == NULL ? text->size : (size_t) (end - text->bytes) };
	size_t used = line.size + (end != NULL);
	*text = (lrd_slice) { text->bytes + used, text->size - used };
	return line;
}

/* A string of C, as options are. */
static const char *name_of(lrd_slice line, char name[NAME])
{
	size_t size = line.size < NAME - 1 ? line.size : NAME - 1;
	memcpy(name, line.bytes, size);
	name[size] = '\0';
	return name;
}

static bool read_server(lrd_slice line, lrd_ring_server *server)
{
	lrd_address address;
	char why[LRD_ADDRESS_WHY];
	memset(why, 1, sizeof(why));
	uint32_t weight = line.size == 0 ? 1 : (unsigned char) line.bytes[0] % 3 + 1u;
	lrd_slice text = line.size == 0 ? line : (lrd_slice) { line.bytes + 1, line.size - 1 };
	if (!lrd_address_read(text, &address, why)) {
		size_t length = strnlen(why, sizeof(why));
		require(length > 0 && length < sizeof(why) - 1);
		for (size_t i = 0; i < length; i++) {
			require(why[i] >= 0x20 && why[i] < 0x7f);
		}
		return false;
	}
	require(address.host.bytes >= text.bytes && address.host.bytes + address.host.size <= text.bytes + text.size);
	require(address.host.size > 0 && address.host.size <= LRD_HOST_MAX
		&& memchr(address.host.bytes, 0, address.host.size) == NULL);
	require(address.is_unix == (address.port == 0) && !(address.is_unix && address.is_tls));
	require(address.is_unix == (address.host.bytes[0] == '/'));
	*server = (lrd_ring_server) { address.host, address.port, weight, address.is_unix, false, false };
	return true;
}

static void walk(const lrd_ring *ring, uint32_t count, lrd_slice key)
{
	unsigned char tried[SERVERS] = { 0 };
	uint32_t found = lrd_ring_find(ring, key.bytes, key.size), seen = 0;
	require(found < count && lrd_ring_find(ring, key.bytes, key.size) == found);
	for (; found < count; found = lrd_ring_next(ring, key.bytes, key.size, tried)) {
		require(!tried[found]);
		tried[found] = 1;
		seen++;
	}
	require(found == count && seen > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char ring_name[NAME], hash_name[NAME];
	lrd_slice text = { (const char *) bytes, size };
	lrd_slice first = line_of(&text), second = line_of(&text);
	const lrd_ring_kind *kind = lrd_ring_named(name_of(first, ring_name));
	const lrd_hash *hash = lrd_hash_named(name_of(second, hash_name));
	lrd_ring_server servers[SERVERS];
	uint32_t count = 0;
	for (unsigned lines = 0; lines < SERVERS && text.size > 0; lines++) {
		count += read_server(line_of(&text), &servers[count]);
	}
	if (kind == NULL) {
		return 0;
	}
	lrd_ring *ring;
	lrd_status status = lrd_ring_make(kind, hash, servers, count, &ring);
	require((status == LRD_OK) == (ring != NULL));
	if (ring != NULL) {
		walk(ring, count, (lrd_slice) { (const char *) bytes, size });
		walk(ring, count, text);
		lrd_ring_free(ring);
	}
	return 0;
}
