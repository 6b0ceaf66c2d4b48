/*
 * Any bytes as a segment's header, with any file size: no crash, no undefined behaviour, a sentence with every refusal,
 * and nothing accepted of which not every field was checked. The first byte says which fields are put right beforehand,
 * since no fuzzer guesses a checksum.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../../core/shm/lrd_segment.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int holds)
{
	if (!holds) {
		__builtin_trap();
	}
}

static uint64_t sum_of(const lrd_segment_header *header)
{
	const uint8_t *bytes = (const uint8_t *) header;
	uint64_t sum = UINT64_C(0xcbf29ce484222325);
	for (size_t at = 0; at < offsetof(lrd_segment_header, sum); at++) {
		if (at < offsetof(lrd_segment_header, ready) || at >= offsetof(lrd_segment_header, size)) {
			sum = (sum ^ bytes[at]) * UINT64_C(0x100000001b3);
		}
	}
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const uint8_t stamp[LRD_SEGMENT_STAMP] = "this build";
	lrd_segment_header header = { .layout = 0 };
	uint64_t file_size = 0;
	uint8_t right = size > 0 ? bytes[0] : 0;
	if (size > 1) {
		size_t length = size - 1 < sizeof header ? size - 1 : sizeof header;
		memcpy(&header, bytes + 1, length);
	}
	if (size > 1 + sizeof header) {
		size_t length = size - 1 - sizeof header;
		memcpy(&file_size, bytes + 1 + sizeof header, length < sizeof file_size ? length : sizeof file_size);
	}
	if ((right & 1) != 0) {
		memcpy(header.magic, "larder\n", sizeof header.magic);
	}
	if ((right & 2) != 0) {
		header.layout = LRD_SEGMENT_LAYOUT;
	}
	if ((right & 4) != 0) {
		memcpy(header.stamp, stamp, sizeof stamp);
	}
	if ((right & 8) != 0) {
		file_size = header.size;
	}
	if ((right & 16) != 0) {
		header.size &= ~(uint64_t) (LRD_SEGMENT_PAGE - 1);
		header.base &= ~(uint64_t) (LRD_SEGMENT_PAGE - 1);
	}
	if ((right & 32) != 0) {
		header.sum = sum_of(&header);
	}
	char why[LRD_SEGMENT_WHY];
	memset(why, 'x', sizeof why);
	lrd_status status = lrd_segment_check(&header, file_size, stamp, why);
	require(memchr(why, '\0', sizeof why) != NULL);
	if (status != LRD_OK) {
		require(why[0] != '\0' && (status == LRD_BAD_SEGMENT || status == LRD_BAD_STAMP));
		return 0;
	}
	require(
		why[0] == '\0' && header.ready != 0 && header.layout == LRD_SEGMENT_LAYOUT && header.sum == sum_of(&header));
	require(header.size == file_size && header.size >= 2 * LRD_SEGMENT_PAGE && header.size % LRD_SEGMENT_PAGE == 0);
	require(header.base != 0 && header.base + header.size > header.base);
	require(memcmp(header.stamp, stamp, sizeof stamp) == 0);
	return 0;
}
