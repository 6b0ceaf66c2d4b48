/* What a configuration may say of a server, and the sentences that it gets when it says something else. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "../../core/client/lrd_address.h"

static lrd_slice slice(const char *text)
{
	return (lrd_slice) { text, strlen(text) };
}

static void each_form_is_read(void **state)
{
	(void) state;
	static const struct { const char *text, *host; uint16_t port; bool is_unix, is_tls; } forms[] = {
		{ "127.0.0.1", "127.0.0.1", 11211, false, false },
		{ "cache-1.example_net:1", "cache-1.example_net", 1, false, false },
		{ "localhost:65535", "localhost", 65535, false, false },
		{ "[::1]", "::1", 11211, false, false },
		{ "[::ffff:10.0.0.1]:11212", "::ffff:10.0.0.1", 11212, false, false },
		{ "[fe80::1%eth0]:11211", "fe80::1%eth0", 11211, false, false },
		{ "tls://cache.example", "cache.example", 11211, false, true },
		{ "tls://cache.example:11212", "cache.example", 11212, false, true },
		{ "tls://[2001:db8::1]:11213", "2001:db8::1", 11213, false, true },
		{ "unix:/run/memcached.sock", "/run/memcached.sock", 0, true, false },
		{ "unix:/a:b\xc3\xa9[]", "/a:b\xc3\xa9[]", 0, true, false },
		{ "unix", "unix", 11211, false, false },
		{ "tls:11211", "tls", 11211, false, false },
	};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		lrd_address address;
		char why[LRD_ADDRESS_WHY] = "";
		if (!lrd_address_read(slice(forms[i].text), &address, why)) {
			fail_msg("%s", why);
		}
		assert_true(lrd_slice_equals(address.host, slice(forms[i].host)));
		assert_in_range((uintptr_t) address.host.bytes, (uintptr_t) forms[i].text,
			(uintptr_t) forms[i].text + strlen(forms[i].text));
		assert_int_equal(address.port, forms[i].port);
		assert_int_equal(address.is_unix, forms[i].is_unix);
		assert_int_equal(address.is_tls, forms[i].is_tls);
	}
}

#define PORT "behind the host stands \":\" and a port from 1 to 65535, or nothing"
#define NAME "a host has 1 to 253 letters, digits, \".\", \"-\" or \"_\""
#define IPV6 "in brackets stands an IPv6 address: \"[::1]:11211\""
#define COLONS "one \":\" at most; an IPv6 address has brackets, \"[::1]:11211\", and a weight stands apart"
#define SLASH "no \"/\" here: a scheme is \"tls://\" or none, a Unix socket is \"unix:/path\""
#define BYTES "spaces and control bytes are not allowed"
#define PATH "a Unix socket is \"unix:\" and its whole path: \"unix:/run/memcached.sock\""

static void each_mistake_has_its_sentence(void **state)
{
	(void) state;
	static const struct { const char *text, *sentence;
	} mistakes[] = {
		{ "", "it is empty; allowed are \"host:port\", \"[::1]:port\", \"unix:/path\", \"tls://host:port\"" },
		{ "host:", PORT },
		{ "host:0", PORT },
		{ "host:65536", PORT },
		{ "host:99999", PORT },
		{ "host:100000", PORT },
		{ "host:011211", PORT },
		{ "host:+1", PORT },
		{ "host:-1", PORT },
		{ "host:1a", PORT },
		{ "[::1]11211", PORT },
		{ "[::1]:", PORT },
		{ "[::1]:1:2", PORT },
		{ ":11211", NAME },
		{ "tls://", NAME },
		{ "tls://:1", NAME },
		{ "h\xc3\xb6st", NAME },
		{ "a,b", NAME },
		{ "user@host", NAME },
		{ "host]", NAME },
		{ "[::1", "\"[\" has no \"]\"" },
		{ "[", "\"[\" has no \"]\"" },
		{ "[]", IPV6 },
		{ "[127.0.0.1]:1", IPV6 },
		{ "[host]", IPV6 },
		{ "[::1%]", IPV6 },
		{ "[::1%a:b]", IPV6 },
		{ "[1:2:3:4:5:6:7:8:9]", IPV6 },
		{ "[0000:0000:0000:0000:0000:0000:0000:0000:0000:0000]", IPV6 },
		{ "::1", COLONS },
		{ "host:11211:5", COLONS },
		{ "fe80::1:11211", COLONS },
		{ "tcp://host:1", SLASH },
		{ "/run/memcached.sock", SLASH },
		{ "TLS://host", SLASH },
		{ "tls://tls://host", SLASH },
		{ "host/", SLASH },
		{ "a b", BYTES },
		{ " host", BYTES },
		{ "host\r\n", BYTES },
		{ "host\x7f", BYTES },
		{ "unix:/a b", BYTES },
		{ "[::1]:1\t", BYTES },
		{ "unix:", PATH },
		{ "unix:/", PATH },
		{ "unix:run/a.sock", PATH },
		{ "unix:///run/a.sock", PATH },
		{ "tls://unix:/a", "a Unix socket has no TLS: \"unix:/path\"" },
	};
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		lrd_address address;
		char why[LRD_ADDRESS_WHY] = "";
		assert_false(lrd_address_read(slice(mistakes[i].text), &address, why));
		const char *sentence = strstr(why, "\": ");
		assert_non_null(sentence);
		assert_string_equal(sentence + 3, mistakes[i].sentence);
	}
}

static const char *why_not(lrd_slice text)
{
	static char why[LRD_ADDRESS_WHY];
	lrd_address address;
	assert_false(lrd_address_read(text, &address, why));
	return why;
}

static void the_text_is_named_and_cannot_do_harm(void **state)
{
	(void) state;
	assert_string_equal(why_not(slice("a b:1")), "server \"a b:1\": " BYTES);
	assert_string_equal(why_not((lrd_slice) { "a\0b", 3 }), "server \"a?b\": " BYTES);
	assert_string_equal(why_not(slice("\x1b[31m\xff\r\n")), "server \"?[31m???\": " BYTES);
	assert_string_equal(why_not((lrd_slice) { NULL, 0 }),
		"server \"\": it is empty; allowed are \"host:port\", \"[::1]:port\", \"unix:/path\", \"tls://host:port\"");
	assert_string_equal(why_not(slice("a-host-with-a-name-that-would-fill-all-of-the-line:0")),
		"server \"a-host-with-a-name-that-would-fill-all-o...\": " PORT);
}

static void lengths_are_bounded(void **state)
{
	(void) state;
	char name[254], path[5 + 108], why[LRD_ADDRESS_WHY];
	memset(name, 'a', sizeof(name));
	memset(path, 'a', sizeof(path));
	memcpy(path, "unix:/", 6);
	lrd_address address;
	assert_true(lrd_address_read((lrd_slice) { name, 253 }, &address, why));
	assert_false(lrd_address_read((lrd_slice) { name, 254 }, &address, why));
	assert_true(lrd_address_read((lrd_slice) { path, 5 + 107 }, &address, why));
	assert_false(lrd_address_read((lrd_slice) { path, 5 + 108 }, &address, why));
	assert_non_null(strstr(why, "a Unix socket's path has at most 107 bytes"));
}

/* Nothing behind the slice is looked at, and every sentence fits. */
static void each_cut_of_each_form_is_safe(void **state)
{
	(void) state;
	static const char *const texts[] = { "tls://[fe80::1%eth0]:11211", "unix:/run/memcached.sock",
		"cache.example:11211", "host:1:2" };
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		for (size_t size = 0; size <= strlen(texts[i]); size++) {
			char cut[32], why[LRD_ADDRESS_WHY] = "";
			memset(cut, 'x', sizeof(cut));
			memcpy(cut, texts[i], size);
			lrd_address alone, before_more;
			bool is_read = lrd_address_read((lrd_slice) { cut, size }, &alone, why);
			assert_int_equal(is_read, lrd_address_read((lrd_slice) { texts[i], size }, &before_more, why));
			assert_int_equal(alone.port, before_more.port);
			assert_true(strlen(why) < LRD_ADDRESS_WHY - 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_is_read),
		cmocka_unit_test(each_mistake_has_its_sentence),
		cmocka_unit_test(the_text_is_named_and_cannot_do_harm),
		cmocka_unit_test(lengths_are_bounded),
		cmocka_unit_test(each_cut_of_each_form_is_safe),
	};
	return cmocka_run_group_tests_name("address", tests, NULL, NULL);
}
