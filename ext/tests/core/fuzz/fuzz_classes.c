/*
 * The walks over serialized bytes: any bytes, each in memory of its own size. A name that is told lies within them, and
 * a walk that is stopped by the last name says so. That they tell what the serializers make is for
 * ext/tests/codec/classes_variation.phpt. None knows PHP, so they are built in here, in turns under names of their own.
 */
#include "../../../value/value_classes.h"

#define place igbinary_place
#define part igbinary_part
#define parts igbinary_parts
#define walk igbinary_walk
#define may_hold_objects igbinary_may_hold_objects
#include "../../../value/value_classes_igbinary.c"
#undef part
#undef parts
#undef walk
#undef may_hold_objects
#define is_seen msgpack_is_seen
#define take msgpack_take
#include "../../../value/value_classes_msgpack.c"
#undef is_seen
#undef place
#include "../../../value/value_classes_php.c"

typedef struct telling {
	const char *bytes;
	size_t size, told, stop;
} telling;

static bool tell(void *context, const char *name, size_t size, bool is_enum)
{
	telling *telling = context;
	static const char empty[] = "stdClass";

	(void)is_enum;
	/* Of the one that has no name in the bytes the name is ours. */
	bool is_within = name >= telling->bytes && name + size <= telling->bytes + telling->size;
	if (!is_within && (size != sizeof(empty) - 1 || memcmp(name, empty, size) != 0)) {
		abort();
	}
	return ++telling->told != telling->stop;
}

static void walk_both(value_class_walk *over, const char *bytes, size_t size)
{
	telling first = { .bytes = bytes, .size = size }, again = first;
	bool is_whole = over(bytes, size, tell, &first);

	/* Who asks for no class trusts the bytes: then msgpack may have references, which are refused otherwise. */
	if (is_whole != over(bytes, size, NULL, NULL) && (is_whole || over != value_classes_in_msgpack)) {
		abort();
	}
	again.stop = first.told;
	if (first.told > 0 && (over(bytes, size, tell, &again) || again.told != first.told)) {
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static value_class_walk *const walks[] = {
		value_classes_in_php, value_classes_in_igbinary, value_classes_in_msgpack, value_classes_in_payload};
	static const char header[] = { 0, 0, 0, 2 };

	for (size_t i = 0; i < sizeof(walks) / sizeof(*walks); i++) {
		size_t before = walks[i] == value_classes_in_igbinary ? sizeof(header) : 0;
		/* Of exactly this size, so that a byte too many is seen. */
		char *copy = malloc(before + size + 1);
		if (copy) {
			memcpy(copy, header, before);
			memcpy(copy + before, bytes, size);
			copy = realloc(copy, before + size ? before + size : 1);
			walk_both(walks[i], copy, before + size);
		}
		free(copy);
	}
	return 0;
}
