/*
 * The rings against the clients whose keys they are to find (each vector was had from the client itself), and the
 * default ring against what is promised of it.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "../../core/client/lrd_ring_points.h"
#include "ring_measure.h"

#define HOST(text) { text, sizeof(text) - 1 }

static const lrd_ring_kind *const kinds[] = {
	&lrd_ring_larder,
	&lrd_ring_modula,
	&lrd_ring_consistent,
	&lrd_ring_ketama,
	&lrd_ring_pecl,
	&lrd_ring_pecl_standard,
	&lrd_ring_nginx,
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* ---- as the clients do it ---- */

enum { A, B, C, D, E, F };

static const lrd_ring_server lists[][3] = {
	[A] = { { HOST("10.0.0.1"), 11211, 1, false, false, false }, { HOST("10.0.0.2"), 11211, 1, false, false, false },
		{ HOST("10.0.0.3"), 11212, 1, false, false, false } },
	[B] = { { HOST("10.0.0.1"), 11211, 1, false, false, false }, { HOST("10.0.0.2"), 11211, 2, false, false, false },
		{ HOST("10.0.0.3"), 11212, 5, false, false, false } },
	[C] = { { HOST("/run/a.sock"), 0, 1, true, false, false }, { HOST("/run/b.sock"), 0, 1, true, false, false },
		{ HOST("10.0.0.3"), 11211, 1, false, false, false } },
	[D] = { { HOST("::1"), 11211, 1, false, false, false }, { HOST("fe80::2"), 11212, 1, false, false, false },
		{ HOST("10.0.0.3"), 11211, 1, false, false, false } },
	[E] = { { HOST("/run/a.sock"), 0, 4, true, false, false }, { HOST("::1"), 11211, 2, false, false, false },
		{ HOST("10.0.0.3"), 11212, 1, false, false, false } },
	[F] = { { HOST("/tmp/ring/ng/a.sock"), 0, 1, true, false, false }, { HOST("::1"), 41712, 1, false, false, false },
		{ HOST("127.0.0.1"), 41713, 2, false, false, false } },
};

/*
 * The servers of key:0 to key:39, behind them (or not) of three keys more, two of which are no ASCII; and the CRC-32 of
 * those of key:0 to key:9999, a digit each.
 */
static const struct { const char *ring, *hash; int list; const char *servers; uint32_t all; } vectors[] = {
	{ "modula", "default", A, "2221111111221111111112112222000000001111220", 0x4135d025 },
	{ "modula", "md5", A, "1222110221200121101110012100000010200002100", 0x20ef52f7 },
	{ "modula", "crc", A, "0200222222022110102202101120110010010110012", 0x8de33dd1 },
	{ "modula", "fnv1_64", A, "2012120112102102102112202001010221211021221", 0xfd382ce3 },
	{ "modula", "fnv1a_64", A, "2222222222000000000000000000000000000000021", 0x87559125 },
	{ "modula", "fnv1_32", A, "0120201220102102102112202001011002022102122", 0xf82734fd },
	{ "modula", "fnv1a_32", A, "2110100202200112201221021021021201012020121", 0xea5c17ae },
	{ "modula", "murmur", A, "0020100001122202211111022120201110012221110", 0x33a11788 },
	{ "consistent", NULL, A, "2010202202100021200102120122210210220020000", 0x1aced1e6 },
	{ "consistent", "md5", A, "1212211122212012122112112221202020022022001", 0x72f49c65 },
	{ "ketama", NULL, A, "1122122210111211100101022222202220002000101", 0xf49b93e1 },
	{ "consistent", NULL, B, "2121222221212220212222121121221212222222122", 0xd785e034 },
	{ "ketama", NULL, B, "1122122212121211100121122222212222002222222", 0x9ef0a25e },
	{ "memcache", "crc32", A, "1202001200212012200202110221021220001111220", 0xf37480a4 },
	{ "memcache", "fnv1a_32", A, "1200020000210100010101100010001000100010000", 0xf95c828a },
	{ "memcache-standard", "crc32", A, "0200222222022110102202101120110010010110012", 0x4823baa6 },
	{ "memcache-standard", "fnv1a_32", A, "2001011212211002210201201201200210210102011", 0x36c7a652 },
	{ "memcache", "crc32", B, "1222221202212122202222110122121222221111222", 0x736770b0 },
	{ "memcache-standard", "crc32", B, "0221212222221212202012202212121222201212212", 0xa72649c0 },
	{ "nginx", NULL, A, "0220121212201121011011012202222212222022", 0x5827a51c },
	{ "nginx", NULL, B, "0220212222221121121222212222222222222222", 0xb878b125 },
	{ "modula", NULL, C, "2221111111221111111112112222000000001111", 0x4135d025 },
	{ "consistent", NULL, C, "1020101001022112112201120020022222012100", 0x2f816bb8 },
	{ "ketama", NULL, C, "0001120002111021211220112112110211222010", 0xf51aa271 },
	{ "memcache", "crc32", C, "2201111220011110201201121021120201011120", 0xc492858b },
	{ "memcache", "fnv1a_32", C, "2111010110200001020102001220112010210021", 0x132e035d },
	{ "memcache-standard", "crc32", C, "0200222222022110102202101120110010010110", 0x4823baa6 },
	{ "memcache-standard", "fnv1a_32", C, "2001011212211002210201201201200210210102", 0x36c7a652 },
	{ "modula", NULL, D, "2221111111221111111112112222000000001111", 0x4135d025 },
	{ "consistent", NULL, D, "0101021110022102111220020100102221201000", 0x2c9a4cff },
	{ "ketama", NULL, D, "1002211101102021211220102121101202110120", 0x333c9da4 },
	{ "memcache", "crc32", D, "2202120221001001201201020210111000121020", 0xd68eb864 },
	{ "memcache", "fnv1a_32", D, "0210022110202201022202010020102012201021", 0xc0f4361a },
	{ "memcache-standard", "crc32", D, "0200222222022110102202101120110010010110", 0x4823baa6 },
	{ "memcache-standard", "fnv1a_32", D, "2001011212211002210201201201200210210102", 0x36c7a652 },
	{ "modula", NULL, E, "2221111111221111111112112222000000001111", 0x4135d025 },
	{ "consistent", NULL, E, "0200010110100001100022010000021100200202", 0x34700586 },
	{ "ketama", NULL, E, "2210010002110201000100012000012011001011", 0xbd1662e5 },
	{ "memcache", "crc32", E, "2002001101202100110202201100000120002102", 0xbdb9c28f },
	{ "memcache", "fnv1a_32", E, "1011100111011011000010001100010110110011", 0xdc7e60c8 },
	{ "memcache-standard", "crc32", E, "1021001111100011201111012111100010011021", 0x19cf84d3 },
	{ "memcache-standard", "fnv1a_32", E, "1000201001102000010102001010200100100120", 0x0c5ac674 },
	{ "nginx", NULL, F, "1212112102202020211122201221022220022021", 0xab13b75d },
	/* Changed, these would move every key of every user. */
	{ "larder", NULL, A, "1212201202012212001100212001201012001221200", 0x8ee335b8 },
	{ "larder", NULL, B, "1222222202212212022210212001222022221221220", 0xe25457e8 },
	{ "larder", NULL, E, "0012001201100000010111010001012001001020220", 0xae52c51a },
};

static lrd_ring *ring_named(const char *name, const char *hash, const lrd_ring_server *servers, uint32_t count)
{
	lrd_ring *ring;
	const lrd_hash *chosen = hash == NULL ? NULL : lrd_hash_named(hash);
	assert_int_equal(lrd_ring_make(lrd_ring_named(name), chosen, servers, count, &ring), LRD_OK);
	return ring;
}

static char digit_of(const lrd_ring *ring, const char *key)
{
	return (char) ('0' + lrd_ring_find(ring, key, strlen(key)));
}

/* The CRC-32 of the servers of key:0 to key:9999. */
static uint32_t crc_of(const lrd_ring *ring)
{
	uint32_t state = UINT32_MAX;
	for (unsigned i = 0; i < 10000; i++) {
		char key[16];
		snprintf(key, sizeof(key), "key:%u", i);
		state = lrd_crc32_step(state, (char[]) { digit_of(ring, key) }, 1);
	}
	return ~state;
}

static void keys_are_where_the_clients_have_them(void **state)
{
	(void) state;
	static const char *const last[] = { "\x6b\xc3\xa9\x79\xff", "\x80\x81\x7a\x7a", "\x61" };
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		lrd_ring *ring = ring_named(vectors[i].ring, vectors[i].hash, lists[vectors[i].list], 3);
		char found[64];
		size_t count = strlen(vectors[i].servers);
		for (size_t j = 0; j < count; j++) {
			char key[32];
			snprintf(key, sizeof(key), "key:%zu", j);
			found[j] = digit_of(ring, j < 40 ? key : last[j - 40]);
		}
		found[count] = '\0';
		assert_string_equal(found, vectors[i].servers);
		assert_int_equal(crc_of(ring), vectors[i].all);
		lrd_ring_free(ring);
	}
}

/* A key whose hash is a point is that point's; one behind the last point is the first one's. */
static void the_ring_is_closed(void **state)
{
	(void) state;
	lrd_ring *ring = ring_named("consistent", NULL, lists[A], 3);
	assert_int_equal(digit_of(ring, "10.0.0.1-0"), '0');
	assert_int_equal(digit_of(ring, "10.0.0.2-0"), '1');
	assert_int_equal(digit_of(ring, "10.0.0.3:11212-7"), '2');
	uint32_t last = ring->points[ring->point_count - 1].value;
	assert_true(last < UINT32_MAX);
	assert_int_equal(lrd_points_at(ring, 0), 0);
	assert_int_equal(lrd_points_at(ring, last), ring->point_count - 1);
	assert_int_equal(lrd_points_at(ring, last + 1), 0);
	assert_int_equal(lrd_points_at(ring, UINT32_MAX), 0);
	lrd_ring_free(ring);
}

static void dead_servers_are_passed_as_pecl_passes_them(void **state)
{
	(void) state;
	/* The order in which its failure callback named 127.0.0.1:1 to :5, where nobody listens, for key:0 to key:5. */
	static const struct { const char *ring, *hash, *orders[6]; } sequences[] = {
		{ "memcache", "crc32", { "10342", "01432", "34120", "24310", "23140", "3410" } },
		{ "memcache", "fnv1a_32", { "42310", "43201", "24310", "14230", "34012", "31240" } },
		{ "memcache-standard", "crc32", { "30142", "23410", "03412", "32104", "30214", "40123" } },
		{ "memcache-standard", "fnv1a_32", { "24310", "34012", "01432", "12304", "10324", "23401" } },
	};
	lrd_ring_server servers[5];
	for (uint16_t i = 0; i < 5; i++) {
		servers[i] = (lrd_ring_server) { HOST("127.0.0.1"), (uint16_t) (i + 1), 1, false, false, false };
	}
	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
		lrd_ring *ring = ring_named(sequences[i].ring, sequences[i].hash, servers, 5);
		for (int k = 0; k < 6; k++) {
			char key[8], order[8] = "";
			unsigned char tried[5] = { 0 };
			size_t size = (size_t) snprintf(key, sizeof(key), "key:%d", k), count = 0;
			for (uint32_t at = lrd_ring_find(ring, key, size); at < 5; at = lrd_ring_next(ring, key, size, tried)) {
				assert_false(tried[at]);
				tried[at] = 1;
				order[count++] = (char) ('0' + at);
			}
			assert_string_equal(order, sequences[i].orders[k]);
		}
		lrd_ring_free(ring);
	}
}

static uint32_t points_of(const lrd_ring *ring, uint32_t server)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < ring->point_count; i++) {
		count += ring->points[i].server == server;
	}
	return count;
}

static void ketama_gives_points_by_weight(void **state)
{
	(void) state;
	static const uint32_t weighted[] = { 60, 120, 300 };
	lrd_ring *ring = ring_named("ketama", NULL, lists[B], 3), *equal = ring_named("ketama", NULL, lists[A], 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(points_of(ring, i), weighted[i]);
		assert_int_equal(points_of(equal, i), 160);
	}
	lrd_ring_free(ring);
	lrd_ring_free(equal);
}

/* A 25th of 5 * 40 digests is 7 in floats. The CRC is ext-memcached's. */
static void ketama_rounds_as_libmemcached(void **state)
{
	(void) state;
	uint32_t weights[] = { 1, 6, 6, 6, 6 }, order[5];
	lrd_ring *ring = ring_of((ring_list) { &lrd_ring_ketama, weights, 5 }, order);
	assert_int_equal(points_of(ring, 0), 28);
	assert_int_equal(crc_of(ring), 0x19bd1535);
	lrd_ring_free(ring);
}

/* Shares of many sizes, each rounded down. */
static void ketama_has_room_for_any_weights(void **state)
{
	(void) state;
	uint32_t weights[101], order[101];
	for (unsigned light = 1; light <= LRD_WEIGHT_MAX; light = light * 3 + 1) {
		for (unsigned i = 0; i < 101; i++) {
			weights[i] = i % 2 == 0 ? LRD_WEIGHT_MAX : light;
		}
		lrd_ring *ring = ring_of((ring_list) { &lrd_ring_ketama, weights, 101 }, order);
		assert_in_range(ring->point_count, 101 * 156, 101 * 160);
		lrd_ring_free(ring);
	}
}

/* ---- rules of all rings ---- */

static void every_name_of_the_options_is_known(void **state)
{
	(void) state;
	static const char *const names[KINDS] = { "larder", "modula", "consistent", "ketama", "memcache",
		"memcache-standard", "nginx" };
	for (size_t i = 0; i < KINDS; i++) {
		assert_ptr_equal(lrd_ring_named(names[i]), kinds[i]);
		assert_string_equal(kinds[i]->name, names[i]);
	}
	assert_null(lrd_ring_named("Larder"));
	assert_null(lrd_ring_named(""));
}

static lrd_status made(const lrd_ring_kind *kind, const lrd_hash *hash, const lrd_ring_server *servers, uint32_t count)
{
	lrd_ring *ring;
	lrd_status status = lrd_ring_make(kind, hash, servers, count, &ring);
	assert_true((status == LRD_OK) == (ring != NULL));
	lrd_ring_free(ring);
	return status;
}

static void a_ring_takes_only_hashes_of_its_client(void **state)
{
	(void) state;
	static const struct { const lrd_ring_kind *kind; const char *hashes; } rules[] = {
		{ &lrd_ring_larder, "" },
		{ &lrd_ring_modula, "default md5 crc fnv1_64 fnv1a_64 fnv1_32 fnv1a_32 murmur" },
		{ &lrd_ring_consistent, "default md5 crc fnv1_64 fnv1a_64 fnv1_32 fnv1a_32 murmur" },
		{ &lrd_ring_ketama, "md5" },
		{ &lrd_ring_pecl, "fnv1a_32 crc32" },
		{ &lrd_ring_pecl_standard, "fnv1a_32 crc32" },
		{ &lrd_ring_nginx, "crc32" },
	};
	static const char *const names[] = { "default", "md5", "crc", "fnv1_64", "fnv1a_64", "fnv1_32", "fnv1a_32",
		"murmur", "crc32" };
	for (size_t i = 0; i < KINDS; i++) {
		char taken[128] = "";
		for (size_t j = 0; j < sizeof(names) / sizeof(names[0]); j++) {
			if (made(rules[i].kind, lrd_hash_named(names[j]), lists[A], 3) == LRD_OK) {
				strcat(strcat(taken, taken[0] == '\0' ? "" : " "), names[j]);
			}
		}
		assert_string_equal(taken, rules[i].hashes);
		assert_int_equal(made(rules[i].kind, NULL, lists[A], 3), LRD_OK);
		assert_int_equal(rules[i].kind->hash_is_fixed, strchr(taken, ' ') == NULL);
	}
}

static void what_cannot_be_a_ring_is_refused(void **state)
{
	(void) state;
	static lrd_ring_server many[LRD_SERVERS_MAX + 1];
	static char name[LRD_HOST_MAX + 1];
	memset(name, 'x', sizeof(name));
	for (size_t i = 0; i < LRD_SERVERS_MAX + 1; i++) {
		many[i] = (lrd_ring_server) { HOST("10.0.0.1"), (uint16_t) (i + 1), LRD_WEIGHT_MAX, false, false, false };
	}
	for (size_t i = 0; i < KINDS; i++) {
		assert_int_equal(made(kinds[i], NULL, lists[A], 0), LRD_BAD_OPTION);
		assert_int_equal(made(kinds[i], NULL, many, LRD_SERVERS_MAX + 1), LRD_FULL);
		const lrd_ring_server bad[] = {
			{ HOST("10.0.0.1"), 11211, 0, false, false, false },
			{ HOST("10.0.0.1"), 11211, LRD_WEIGHT_MAX + 1, false, false, false },
			{ { "", 0 }, 11211, 1, false, false, false }, { { name, LRD_HOST_MAX + 1 }, 11211, 1, false, false, false },
		};
		for (size_t j = 0; j < 4; j++) {
			assert_int_equal(made(kinds[i], NULL, &bad[j], 1), LRD_BAD_OPTION);
		}
		const lrd_ring_server longest[] = { { { name, LRD_HOST_MAX }, 65535, 1, false, false, false },
			{ { name, LRD_HOST_MAX }, 0, 1, true, false, false } };
		assert_int_equal(made(kinds[i], NULL, longest, 2), LRD_OK);
	}
	/* 164 million points. */
	assert_int_equal(made(&lrd_ring_pecl, NULL, many, LRD_SERVERS_MAX), LRD_FULL);
	assert_int_equal(made(&lrd_ring_nginx, NULL, many, LRD_SERVERS_MAX), LRD_FULL);
	assert_int_equal(made(&lrd_ring_larder, NULL, many, LRD_SERVERS_MAX), LRD_OK);
}

static void one_server_has_all_keys(void **state)
{
	(void) state;
	for (size_t i = 0; i < KINDS; i++) {
		lrd_ring *ring = ring_named(kinds[i]->name, NULL, lists[A], 1);
		assert_int_equal(lrd_ring_find(ring, "key:0", 5), 0);
		assert_int_equal(lrd_ring_next(ring, "key:0", 5, (unsigned char[]) { 0 }), 0);
		assert_int_equal(lrd_ring_next(ring, "key:0", 5, (unsigned char[]) { 1 }), 1);
		lrd_ring_free(ring);
	}
}

static void next_names_no_server_twice_and_then_none(void **state)
{
	(void) state;
	for (size_t i = 0; i < KINDS; i++) {
		lrd_ring *ring = ring_named(kinds[i]->name, NULL, lists[B], 3);
		for (uint32_t k = 0; k < 1000; k++) {
			char key[16];
			size_t size = (size_t) snprintf(key, sizeof(key), "key:%u", k);
			unsigned char tried[3] = { 0 };
			uint32_t count = 0;
			for (uint32_t at = lrd_ring_find(ring, key, size); at < 3; at = lrd_ring_next(ring, key, size, tried)) {
				assert_false(tried[at]);
				tried[at] = 1;
				count++;
			}
			/* pecl may give up before. */
			assert_in_range(count, kinds[i] == &lrd_ring_pecl || kinds[i] == &lrd_ring_pecl_standard ? 2 : 3, 3);
		}
		lrd_ring_free(ring);
	}
}

/* With points the next server is that of the next point which is not of a tried one; modula takes the list's order. */
static void next_goes_on_from_where_the_key_was(void **state)
{
	(void) state;
	lrd_ring *points = ring_named("ketama", NULL, lists[B], 3), *modula = ring_named("modula", NULL, lists[B], 3);
	for (uint32_t k = 0; k < 1000; k++) {
		char key[16];
		size_t size = (size_t) snprintf(key, sizeof(key), "key:%u", k);
		uint32_t at = lrd_points_at(points, lrd_hash_md5.of(key, size)), first = points->points[at].server;
		unsigned char tried[3] = { 0 };
		tried[first] = 1;
		while (points->points[at].server == first) {
			at = (at + 1) % points->point_count;
		}
		assert_int_equal(lrd_ring_next(points, key, size, tried), points->points[at].server);
		memset(tried, 0, sizeof(tried));
		first = lrd_ring_find(modula, key, size);
		tried[first] = 1;
		assert_int_equal(lrd_ring_next(modula, key, size, tried), (first + 1) % 3);
	}
	lrd_ring_free(points);
	lrd_ring_free(modula);
}

/* ---- the default ring ---- */

static void the_default_is_even(void **state)
{
	(void) state;
	for (uint32_t count = 2; count <= 32; count++) {
		assert_in_range((uint64_t) (ring_fullest(ring_equals(&lrd_ring_larder, count)) * 1000), 1000, 1050);
	}
	static const uint32_t weights[][6] = { { 1, 2, 5, 0, 0, 0 }, { 1, 1, 1, 1, 1, 1000 }, { 7, 11, 13, 17, 19, 23 },
		{ 999, 1000, 1000, 0, 0, 0 } };
	for (size_t i = 0; i < 4; i++) {
		/* A weight of 1 in 1005 has 199 keys here, give or take 14. */
		assert_in_range((uint64_t) (ring_fullest((ring_list) { &lrd_ring_larder, weights[i], 6 }) * 1000), 1000,
			i == 1 ? 1250 : 1050);
	}
}

static void assert_moves_least(ring_list before, ring_list after)
{
	double more = ring_moved(before, after) - ring_moved_least(before, after);
	assert_true(more > -0.01 && more < 0.01);
}

static void the_default_moves_no_more_than_it_must(void **state)
{
	(void) state;
	for (uint32_t count = 2; count <= 32; count += 3) {
		ring_list more = ring_equals(&lrd_ring_larder, count + 1), fewer = more;
		fewer.count--;
		assert_moves_least(fewer, more);
		assert_moves_least(more, fewer);
	}
	/* One weight is another. */
	static const uint32_t changes[][2][4] = {
		{ { 1, 1, 1, 1 }, { 1, 1, 1, 2 } },
		{ { 10, 10, 10, 10 }, { 10, 10, 11, 10 } },
		{ { 1, 2, 5, 3 }, { 1, 2, 5, 1 } },
		{ { 1, 2, 5, 0 }, { 1, 2, 5, 40 } },
		{ { 0, 1, 2, 5 }, { 999, 1, 2, 5 } },
		{ { 100, 100, 0, 0 }, { 100, 99, 0, 0 } },
	};
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		ring_list before = { &lrd_ring_larder, changes[i][0], 4 }, after = { &lrd_ring_larder, changes[i][1], 4 };
		assert_moves_least(before, after);
		assert_moves_least(after, before);
	}
}

/* What is asked of pecl's ring too: two hundredths over the least. */
static void pecls_ring_moves_little_more(void **state)
{
	(void) state;
	for (uint32_t count = 3; count <= 12; count += 3) {
		ring_list more = ring_equals(&lrd_ring_pecl, count + 1), fewer = more;
		fewer.count--;
		assert_true(ring_moved(fewer, more) <= ring_moved_least(fewer, more) + 0.02);
	}
}

/* Not one key goes from one of the old servers to another. */
static void a_server_more_takes_keys_and_moves_none(void **state)
{
	(void) state;
	static const uint32_t before[] = { 1, 2, 5, 0, 3 }, after[] = { 1, 2, 5, 4, 3 };
	uint32_t old_order[5], new_order[5];
	lrd_ring *old = ring_of((ring_list) { &lrd_ring_larder, before, 5 }, old_order);
	lrd_ring *new = ring_of((ring_list) { &lrd_ring_larder, after, 5 }, new_order);
	const unsigned char tried[5] = { 0, 0, 0, 1, 0 };
	for (uint32_t i = 0; i < 50000; i++) {
		char key[16];
		size_t size = (size_t) snprintf(key, sizeof(key), "key:%u", i);
		uint32_t was = old_order[lrd_ring_find(old, key, size)], is = new_order[lrd_ring_find(new, key, size)];
		assert_true(is == was || is == 3);
		/* And when it is down, its keys are where they were. */
		assert_int_equal(lrd_ring_next(new, key, size, tried), was);
	}
	lrd_ring_free(old);
	lrd_ring_free(new);
}

/* The order of the list, and a factor of all weights, mean nothing. */
static void the_default_looks_at_names_and_shares_alone(void **state)
{
	(void) state;
	const lrd_ring_server turned[] = { lists[E][2], lists[E][0], lists[E][1] };
	lrd_ring_server heavier[] = { lists[E][0], lists[E][1], lists[E][2] };
	for (size_t i = 0; i < 3; i++) {
		heavier[i].weight *= 250;
	}
	lrd_ring *ring = ring_named("larder", NULL, lists[E], 3);
	lrd_ring *other = ring_named("larder", NULL, turned, 3), *third = ring_named("larder", NULL, heavier, 3);
	for (uint32_t i = 0; i < 20000; i++) {
		char key[16];
		size_t size = (size_t) snprintf(key, sizeof(key), "key:%u", i);
		uint32_t at = lrd_ring_find(ring, key, size);
		assert_int_equal((lrd_ring_find(other, key, size) + 2) % 3, at);
		assert_int_equal(lrd_ring_find(third, key, size), at);
	}
	lrd_ring_free(ring);
	lrd_ring_free(other);
	lrd_ring_free(third);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_where_the_clients_have_them),
		cmocka_unit_test(the_ring_is_closed),
		cmocka_unit_test(dead_servers_are_passed_as_pecl_passes_them),
		cmocka_unit_test(ketama_gives_points_by_weight),
		cmocka_unit_test(ketama_rounds_as_libmemcached),
		cmocka_unit_test(ketama_has_room_for_any_weights),
		cmocka_unit_test(every_name_of_the_options_is_known),
		cmocka_unit_test(a_ring_takes_only_hashes_of_its_client),
		cmocka_unit_test(what_cannot_be_a_ring_is_refused),
		cmocka_unit_test(one_server_has_all_keys),
		cmocka_unit_test(next_names_no_server_twice_and_then_none),
		cmocka_unit_test(next_goes_on_from_where_the_key_was),
		cmocka_unit_test(the_default_is_even),
		cmocka_unit_test(the_default_moves_no_more_than_it_must),
		cmocka_unit_test(pecls_ring_moves_little_more),
		cmocka_unit_test(a_server_more_takes_keys_and_moves_none),
		cmocka_unit_test(the_default_looks_at_names_and_shares_alone),
	};
	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
