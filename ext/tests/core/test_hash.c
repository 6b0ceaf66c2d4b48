/* Every hash against what the clients that it is named for say of the same bytes. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "../../core/client/lrd_hash.h"

static uint32_t hash(const lrd_hash *hash, const char *text)
{
	return hash->of(text, strlen(text));
}

static void each_hash_is_that_of_its_client(void **state)
{
	(void) state;
	assert_int_equal(hash(&lrd_hash_one_at_a_time, "key:0"), 0xc0d4cec1);
	assert_int_equal(hash(&lrd_hash_md5, "key:0"), 0x82ab86df);
	assert_int_equal(hash(&lrd_hash_crc, "key:0"), 31848);
	assert_int_equal(hash(&lrd_hash_fnv1_32, "key:0"), 0x8964f7a4);
	assert_int_equal(hash(&lrd_hash_fnv1a_32, "key:0"), 0x57140e16);
	assert_int_equal(hash(&lrd_hash_fnv1_64, "key:0"), 0xfdc93304);
	assert_int_equal(hash(&lrd_hash_fnv1a_64, "key:0"), 0x962f5916);
	assert_int_equal(hash(&lrd_hash_murmur, "key:0"), 0x70f6b624);
	assert_int_equal(hash(&lrd_hash_crc32, "key:0"), 0x7c680b7a);
}

/* The points of a server on the rings of three clients. */
static void points_are_those_of_the_clients(void **state)
{
	(void) state;
	static const struct { const char *name; uint32_t points[4]; } ketama[] = {
		{ "10.0.0.1-0", { 0x2194783c, 0x36d6a85b, 0xf1edf592, 0x40a9b8cf } },
		{ "10.0.0.3:11212-0", { 0x0038906b, 0x901937a6, 0x4b190c65, 0x2e809329 } },
	};
	for (size_t i = 0; i < 2; i++) {
		unsigned char digest[16];
		lrd_md5(ketama[i].name, strlen(ketama[i].name), digest);
		for (size_t word = 0; word < 4; word++) {
			const unsigned char *at = digest + 4 * word;
			assert_int_equal(at[0] | at[1] << 8 | at[2] << 16 | (uint32_t) at[3] << 24, ketama[i].points[word]);
		}
	}
	assert_int_equal(hash(&lrd_hash_one_at_a_time, "10.0.0.1-0"), 0xf618fafa);
	assert_int_equal(hash(&lrd_hash_crc32, "10.0.0.1:11211-0"), 0xaa4dfe14);
	assert_int_equal(hash(&lrd_hash_fnv1a_32, "10.0.0.1:11211-0"), 0x6524e8ac);
	uint32_t base = lrd_crc32_step(UINT32_MAX, "10.0.0.1\00011211", 14);
	assert_int_equal(~lrd_crc32_step(base, "\0\0\0\0", 4), 0x3c90307e);
	assert_int_equal(~lrd_crc32_step(base, "\x7e\x30\x90\x3c", 4), 0xcd35f4dc);
}

static void md5_is_right_at_every_length(void **state)
{
	(void) state;
	static const struct { size_t size; const char *digest; } of_as[] = {
		{ 0, "d41d8cd98f00b204e9800998ecf8427e" }, { 1, "0cc175b9c0f1b6a831c399e269772661" },
		{ 55, "ef1772b6dff9a122358552954ad0df65" }, { 56, "3b0c8ac703f828b04c6c197006d17218" },
		{ 57, "652b906d60af96844ebd21b674f35e93" }, { 63, "b06521f39153d618550606be297466d5" },
		{ 64, "014842d480b571495a4a0363793f7367" }, { 65, "c743a45e0d2e6a95cb859adae0248435" },
		{ 119, "8a7bd0732ed6a28ce75f6dabc90e1613" }, { 120, "5f61c0ccad4cac44c75ff505e1f1e537" },
		{ 128, "e510683b3f5ffe4093d021808bc6ff70" }, { 1000, "cabe45dcc9ae5b66ba86600cca6b8ba8" },
	};
	char as[1000];
	memset(as, 'a', sizeof(as));
	for (size_t i = 0; i < sizeof(of_as) / sizeof(of_as[0]); i++) {
		unsigned char digest[16];
		char text[33];
		lrd_md5(as, of_as[i].size, digest);
		for (size_t j = 0; j < 16; j++) {
			snprintf(text + 2 * j, 3, "%02x", digest[j]);
		}
		assert_string_equal(text, of_as[i].digest);
	}
}

static void crc32_may_be_made_in_steps(void **state)
{
	(void) state;
	const char *text = "123456789";
	for (size_t first = 0; first <= 9; first++) {
		uint32_t crc = lrd_crc32_step(lrd_crc32_step(UINT32_MAX, text, first), text + first, 9 - first);
		assert_int_equal(~crc, 0xcbf43926);
	}
}

static void every_name_of_the_options_is_known(void **state)
{
	(void) state;
	static const char *const names[] = { "default", "md5", "crc", "fnv1_64", "fnv1a_64", "fnv1_32", "fnv1a_32",
		"murmur", "crc32" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_non_null(lrd_hash_named(names[i]));
		assert_string_equal(lrd_hash_named(names[i])->name, names[i]);
	}
	assert_ptr_equal(lrd_hash_named("default"), &lrd_hash_one_at_a_time);
	assert_null(lrd_hash_named("hsieh"));
	assert_null(lrd_hash_named(""));
}

/* Changed, it would move every key of every user. */
static void the_wide_hash_stays_as_it_is(void **state)
{
	(void) state;
	assert_int_equal(lrd_hash_wide("", 0), 0xd043a3d2960adc1e);
	assert_int_equal(lrd_hash_wide("key:0", 5), 0x629ccdc4c43a3807);
	assert_int_equal(lrd_hash_wide("\x80\xff a longer key, of three blocks", 32), 0xfaf4c3b64901346b);
}

/* Of 20,000 pairs of keys that differ in one bit, each of the 64 bits of the hash differs in about half. */
static void each_bit_of_a_key_moves_each_bit_of_the_wide_hash(void **state)
{
	(void) state;
	enum { KEYS = 20000 };
	for (unsigned bit = 0; bit < 8 * 11; bit++) {
		unsigned changes[64] = { 0 };
		for (unsigned i = 0; i < KEYS; i++) {
			char key[12];
			snprintf(key, sizeof(key), "news:%06u", i);
			uint64_t before = lrd_hash_wide(key, 11);
			key[bit / 8] = (char) (key[bit / 8] ^ 1 << bit % 8);
			uint64_t changed = before ^ lrd_hash_wide(key, 11);
			for (unsigned b = 0; b < 64; b++) {
				changes[b] += changed >> b & 1;
			}
		}
		for (unsigned b = 0; b < 64; b++) {
			assert_in_range(changes[b], KEYS * 47 / 100, KEYS * 53 / 100);
		}
	}
}

static void the_wide_hash_tells_lengths_apart(void **state)
{
	(void) state;
	static const char zeros[40] = { 0 };
	for (size_t a = 0; a < sizeof(zeros); a++) {
		for (size_t b = a + 1; b < sizeof(zeros); b++) {
			assert_true(lrd_hash_wide(zeros, a) != lrd_hash_wide(zeros, b));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_hash_is_that_of_its_client),
		cmocka_unit_test(points_are_those_of_the_clients),
		cmocka_unit_test(md5_is_right_at_every_length),
		cmocka_unit_test(crc32_may_be_made_in_steps),
		cmocka_unit_test(every_name_of_the_options_is_known),
		cmocka_unit_test(the_wide_hash_stays_as_it_is),
		cmocka_unit_test(each_bit_of_a_key_moves_each_bit_of_the_wide_hash),
		cmocka_unit_test(the_wide_hash_tells_lengths_apart),
	};
	return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
