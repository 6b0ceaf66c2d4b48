#include "php_shared_memory.h"

#include "../value/value_graph.h"

/* What info() says of a shard, and in sum of all. */
static const struct {
	const char *name;
	size_t place;
} counts[] = {
	{"entries", offsetof(lrd_shard_report, entries)},
	{"leases", offsetof(lrd_shard_report, leases)},
	{"bytesUsed", offsetof(lrd_shard_report, bytes_used)},
	{"bytesLimbo", offsetof(lrd_shard_report, bytes_limbo)},
	{"bytesTotal", offsetof(lrd_shard_report, bytes_total)},
	{"stores", offsetof(lrd_shard_report, stores)},
	{"evictions", offsetof(lrd_shard_report, evictions)},
	{"expirations", offsetof(lrd_shard_report, expirations)},
	{"refusedLarge", offsetof(lrd_shard_report, refused_large)},
	{"refusedFull", offsetof(lrd_shard_report, refused_full)},
	{"lockTimeouts", offsetof(lrd_shard_report, lock_timeouts)},
	{"recoveries", offsetof(lrd_shard_report, recoveries)},
};

#define COUNTS (sizeof(counts) / sizeof(counts[0]))

static uint64_t count_in(const lrd_shard_report *shard, size_t which)
{
	return *(const uint64_t *) (const void *) ((const char *) shard + counts[which].place);
}

static void add_counts(zval *info, const uint64_t values[COUNTS])
{
	for (size_t i = 0; i < COUNTS; i++) {
		add_assoc_long(info, counts[i].name, (zend_long) values[i]);
	}
}

static void add_shards(zval *info, unsigned number)
{
	uint64_t sums[COUNTS] = {0}, largest = UINT64_MAX;
	zval shards;

	array_init_size(&shards, number);
	for (unsigned i = 0; i < number; i++) {
		lrd_shard_report report;
		uint64_t values[COUNTS];
		zval shard;

		lrd_store_report_shard(LARDER_G(store), i, &report);
		largest = MIN(largest, value_string_largest(report.bytes_largest));
		for (size_t which = 0; which < COUNTS; which++) {
			values[which] = count_in(&report, which);
			sums[which] += values[which];
		}
		array_init_size(&shard, COUNTS);
		add_counts(&shard, values);
		add_next_index_zval(&shards, &shard);
	}
	add_assoc_long(info, "largest", (zend_long) largest);
	add_counts(info, sums);
	add_assoc_zval(info, "shards", &shards);
}

static void add_segment(zval *info, const lrd_report *report)
{
	add_assoc_string(info, "mode", php_segment_is_sharing() ? "share" : "copy");
	add_assoc_str(info, "reason", php_segment_reason());
	add_assoc_string(info, "name", php_segment_path());
	add_assoc_bool(info, "private", php_segment_is_private());
	add_assoc_bool(info, "alone", php_segment_is_alone());
	add_assoc_long(info, "base", (zend_long) report->segment->base);
	add_assoc_long(info, "size", (zend_long) report->segment->size);
	add_assoc_long(info, "made", (zend_long) (report->segment->made_ms / 1000));
	add_assoc_long(info, "slots", report->slots);
	add_assoc_long(info, "slotsUsed", report->slots_used);
	add_assoc_long(info, "epoch", (zend_long) report->epoch);
	add_assoc_long(info, "reaped", (zend_long) report->reaped);
	add_assoc_long(info, "noSlot", (zend_long) report->no_slot);
	add_assoc_double(info, "oldestPinAge", (double) report->oldest_pin_ms / 1000.0);
	add_assoc_long(info, "oldestPinProcess", report->oldest_pin_process);
}

ZEND_METHOD(Larder_SharedMemory, info)
{
	lrd_report report;

	ZEND_PARSE_PARAMETERS_NONE();

	const php_shared_memory *memory = php_shared_memory_of(ZEND_THIS);
	if (memory == NULL) {
		RETURN_THROWS();
	}
	lrd_store_report(LARDER_G(store), &report);
	array_init(return_value);
	add_segment(return_value, &report);
	add_assoc_str(return_value, "namespace", zend_string_copy(memory->name));
	add_shards(return_value, report.shards);
}

static const char *type_name(uint32_t type)
{
	switch (type) {
		case VALUE_INT:
			return "int";
		case VALUE_NULL:
			return "null";
		case VALUE_FALSE:
		case VALUE_TRUE:
			return "bool";
		case VALUE_FLOAT:
			return "float";
		case VALUE_STRING:
		case VALUE_TEXT:
			return "string";
		case VALUE_ARRAY:
			return "array";
		default:
			return "mixed";
	}
}

static void add_entry(zval *entries, const lrd_entry *entry)
{
	zval row;

	array_init_size(&row, 5);
	add_assoc_stringl(&row, "key", entry->key.bytes, entry->key.size);
	add_assoc_string(&row, "type", type_name(entry->type));
	add_assoc_long(&row, "bytes", (zend_long) entry->bytes);
	if (entry->expires_ms == 0) {
		add_assoc_null(&row, "expires");
	} else {
		add_assoc_double(&row, "expires", (double) entry->expires_ms / 1000.0);
	}
	add_assoc_long(&row, "version", (zend_long) entry->version);
	add_next_index_zval(entries, &row);
}

ZEND_METHOD(Larder_SharedMemory, entries)
{
	zend_long start = 0, limit = 1000;
	zval entries;
	lrd_entry entry;

	ZEND_PARSE_PARAMETERS_START(0, 2)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(start)
		Z_PARAM_LONG(limit)
	ZEND_PARSE_PARAMETERS_END();

	const php_shared_memory *memory = php_shared_memory_of(ZEND_THIS);
	if (memory == NULL) {
		RETURN_THROWS();
	}
	if (start < 0) {
		zend_argument_value_error(1, "must be greater than or equal to 0");
		RETURN_THROWS();
	}
	if (limit < 1) {
		zend_argument_value_error(2, "must be greater than 0");
		RETURN_THROWS();
	}

	uint64_t cursor = (uint64_t) start;
	bool more = php_segment_enter();
	bool entered = more;
	array_init(&entries);
	while (more && limit > 0) {
		more = lrd_store_next(LARDER_G(store), &cursor, &entry) == LRD_OK;
		if (more && lrd_slice_equals(entry.name, (lrd_slice) {memory->space.name, memory->space.size})) {
			add_entry(&entries, &entry);
			limit--;
		}
	}
	if (entered) {
		php_segment_leave();
	}
	array_init_size(return_value, 2);
	if (more) {
		add_assoc_long(return_value, "next", (zend_long) cursor);
	} else {
		add_assoc_null(return_value, "next");
	}
	add_assoc_zval(return_value, "entries", &entries);
}
