#include "memcached_address.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_between(char byte)
{
	return byte == ',' || byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Up to `most`, to the end of the text. */
static bool read_number(const char *text, size_t size, zend_long most, zend_long *number)
{
	zend_long value = 0;

	for (size_t i = 0; i < size; i++) {
		if (text[i] < '0' || text[i] > '9' || value > most) {
			return false;
		}
		value = value * 10 + (text[i] - '0');
	}
	*number = value;
	return size > 0 && value <= most;
}

/* "host[:port[:weight]]", an IPv6 address in brackets, or "/path[:weight]" */
static bool add_server(memcached_client *client, const char *text, size_t size, bool is_listed)
{
	zend_long numbers[2] = {0, 0};
	const char *host = text, *end = text + size;
	const char *behind = text[0] == '[' ? memchr(text, ']', size) : NULL;

	if (behind != NULL) {
		host++;
	}
	const char *host_end = behind != NULL ? behind : memchr(text, ':', size);
	host_end = host_end != NULL ? host_end : end;
	const char *at = behind != NULL ? behind + 1 : host_end;
	for (int i = text[0] == '/' ? 1 : 0; i < 2 && at < end; i++) {
		const char *next = memchr(at + 1, ':', (size_t) (end - at - 1));
		next = next != NULL ? next : end;
		if (*at != ':' || !read_number(at + 1, (size_t) (next - at - 1), i == 0 ? 65535 : INT32_MAX, &numbers[i])) {
			return false;
		}
		at = next;
	}
	if (at < end || host == host_end) {
		return false;
	}
	zend_string *name = zend_string_init(host, (size_t) (host_end - host), false);
	memcached_code code = memcached_client_add(client, ZSTR_VAL(name), numbers[0], numbers[1], is_listed);
	zend_string_release(name);
	return code == MEMCACHED_SUCCESS;
}

bool memcached_address_servers(memcached_client *client, const char *text)
{
	while (*text != '\0') {
		const char *end = text;
		while (*end != '\0' && !is_between(*end)) {
			end++;
		}
		if (end > text && !add_server(client, text, (size_t) (end - text), true)) {
			return false;
		}
		text = *end != '\0' ? end + 1 : end;
	}
	return client->server_count > 0;
}

/* ---- the configuration string ---- */

typedef struct setting {
	const char *name;
	uint32_t option;
	bool has_number;            /* else it is 1 by being there */
} setting;

static const setting settings[] = {
	{"--BINARY-PROTOCOL", MEMCACHED_BINARY_PROTOCOL, false},
	{"--BUFFER-REQUESTS", MEMCACHED_BUFFER_WRITES, false},
	{"--CONNECT-TIMEOUT", MEMCACHED_CONNECT_TIMEOUT, true},
	{"--HASH-WITH-NAMESPACE", MEMCACHED_HASH_WITH_PREFIX_KEY, false},
	{"--NOREPLY", MEMCACHED_NOREPLY, false},
	{"--NUMBER-OF-REPLICAS", MEMCACHED_NUMBER_OF_REPLICAS, true},
	{"--POLL-TIMEOUT", MEMCACHED_POLL_TIMEOUT, true},
	{"--RANDOMIZE-REPLICA-READ", MEMCACHED_RANDOMIZE_REPLICA_READ, false},
	{"--RCV-TIMEOUT", MEMCACHED_RECV_TIMEOUT, true},
	{"--REMOVE-FAILED-SERVERS", MEMCACHED_REMOVE_FAILED_SERVERS, false},
	{"--RETRY-TIMEOUT", MEMCACHED_RETRY_TIMEOUT, true},
	{"--SERVER-FAILURE-LIMIT", MEMCACHED_SERVER_FAILURE_LIMIT, true},
	{"--SND-TIMEOUT", MEMCACHED_SEND_TIMEOUT, true},
	{"--SOCKET-RECV-SIZE", MEMCACHED_RECV_SIZE, true},
	{"--SOCKET-SEND-SIZE", MEMCACHED_SEND_SIZE, true},
	{"--SORT-HOSTS", MEMCACHED_SORT_HOSTS, false},
	{"--TCP-KEEPALIVE", MEMCACHED_TCP_KEEPALIVE, false},
	{"--TCP-NODELAY", MEMCACHED_TCP_NODELAY, false},
	{"--USE-UDP", MEMCACHED_USE_UDP, false},
	{"--VERIFY-KEY", MEMCACHED_VERIFY_KEY, false},
};

static bool is_word(const char *text, size_t size, const char *word)
{
	return strlen(word) == size && strncasecmp(text, word, size) == 0;
}

static bool configure_word(memcached_client *client, const char *word, size_t size)
{
	const char *equals = memchr(word, '=', size);
	size_t name = equals != NULL ? (size_t) (equals - word) : size;
	const char *value = equals != NULL ? equals + 1 : NULL;
	size_t value_size = equals != NULL ? size - name - 1 : 0;
	zend_long number = 1;

	if (value != NULL && (is_word(word, name, "--SERVER") || is_word(word, name, "--SOCKET"))) {
		if (value_size >= 2 && value[0] == '"' && value[value_size - 1] == '"') {
			value++;
			value_size -= 2;
		}
		/* "/?40" behind a server is its weight. */
		const char *weight = value_size > 2 ? memchr(value, '/', value_size) : NULL;
		if (weight != NULL && weight > value && weight[1] == '?'
			&& read_number(weight + 2, value_size - (size_t) (weight + 2 - value), INT32_MAX, &number)) {
			zend_string *text = strpprintf(0, "%.*s%s:" ZEND_LONG_FMT, (int) (weight - value), value,
				memchr(value, ':', (size_t) (weight - value)) != NULL ? "" : ":11211", number);
			bool is_added = add_server(client, ZSTR_VAL(text), ZSTR_LEN(text), false);
			zend_string_release(text);
			return is_added;
		}
		return value_size > 0 && add_server(client, value, value_size, false);
	}
	if (value != NULL && is_word(word, name, "--NAMESPACE")) {
		bool is_quoted = value_size >= 2 && value[0] == '"' && value[value_size - 1] == '"';
		return memcached_client_set_prefix(client, value + is_quoted, value_size - 2 * is_quoted) == MEMCACHED_SUCCESS;
	}
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		if (is_word(word, name, settings[i].name)) {
			return settings[i].has_number == (value != NULL)
				&& (value == NULL || read_number(value, value_size, INT32_MAX, &number))
				&& memcached_client_set(client, settings[i].option, (uint64_t) number) == MEMCACHED_SUCCESS;
		}
	}
	return false;
}

bool memcached_address_configure(memcached_client *client, const zend_string *text)
{
	const char *at = ZSTR_VAL(text);

	while (*at != '\0') {
		const char *end = at;
		while (*end != '\0' && !is_between(*end)) {
			end++;
		}
		if (end > at && !configure_word(client, at, (size_t) (end - at))) {
			return false;
		}
		at = *end != '\0' ? end + 1 : end;
	}
	return true;
}
