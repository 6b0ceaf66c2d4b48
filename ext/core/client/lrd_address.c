#include "lrd_address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/un.h>

enum {
	DEFAULT_PORT = 11211,
	NAME_MAX_SIZE = 253,        /* of a name in DNS */
	PATH_MAX_SIZE = sizeof(((struct sockaddr_un *) NULL)->sun_path) - 1,
	SHOWN = 40,                 /* bytes of the text that an error quotes */
};

static bool starts_with(lrd_slice text, const char *start)
{
	size_t size = strlen(start);
	return text.size >= size && memcmp(text.bytes, start, size) == 0;
}

static lrd_slice from(lrd_slice text, size_t skip)
{
	return (lrd_slice) { text.bytes + skip, text.size - skip };
}

/* Writes the text in quotes, with "?" for what cannot be printed, then the sentence. Returns false always. */
static bool refuse(lrd_slice text, char why[LRD_ADDRESS_WHY], const char *sentence)
{
	char shown[SHOWN + 1];
	size_t size = text.size < SHOWN ? text.size : SHOWN;
	for (size_t i = 0; i < size; i++) {
		unsigned char byte = (unsigned char) text.bytes[i];
		shown[i] = byte < 0x20 || byte >= 0x7f ? '?' : (char) byte;
	}
	shown[size] = '\0';
	snprintf(why, LRD_ADDRESS_WHY, "server \"%s%s\": %s", shown, text.size > SHOWN ? "..." : "", sentence);
	return false;
}

/* 1 to 65535 in its shortest form. */
static bool read_port(lrd_slice digits, uint16_t *port)
{
	uint32_t value = 0;
	if (digits.size < 1 || digits.size > 5 || digits.bytes[0] == '0') {
		return false;
	}
	for (size_t i = 0; i < digits.size; i++) {
		if (digits.bytes[i] < '0' || digits.bytes[i] > '9') {
			return false;
		}
		value = value * 10 + (uint32_t) (digits.bytes[i] - '0');
	}
	*port = (uint16_t) value;
	return value <= UINT16_MAX;
}

static bool is_name(lrd_slice host)
{
	for (size_t i = 0; i < host.size; i++) {
		char c = host.bytes[i];
		bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		if (!is_plain && c != '.' && c != '-' && c != '_') {
			return false;
		}
	}
	return host.size > 0 && host.size <= NAME_MAX_SIZE;
}

/* With a zone behind "%" or without: fe80::1%eth0. */
static bool is_ipv6(lrd_slice host)
{
	const char *zone = memchr(host.bytes, '%', host.size);
	size_t size = zone == NULL ? host.size : (size_t) (zone - host.bytes);
	char text[INET6_ADDRSTRLEN];
	struct in6_addr address;
	if (size >= sizeof(text) || (zone != NULL && !is_name(from(host, size + 1)))) {
		return false;
	}
	memcpy(text, host.bytes, size);
	text[size] = '\0';
	return inet_pton(AF_INET6, text, &address) == 1;
}

static bool read_unix(lrd_slice text, lrd_address *address, char why[LRD_ADDRESS_WHY])
{
	lrd_slice path = from(text, strlen("unix:"));
	if (path.size < 2 || path.bytes[0] != '/' || path.bytes[1] == '/') {
		return refuse(text, why, "a Unix socket is \"unix:\" and its whole path: \"unix:/run/memcached.sock\"");
	}
	if (path.size > PATH_MAX_SIZE) {
		return refuse(text, why, "a Unix socket's path has at most 107 bytes");
	}
	*address = (lrd_address) { .host = path, .is_unix = true };
	return true;
}

/* "host" in what is left of its brackets, and what stands behind it. */
static bool split(lrd_slice rest, lrd_slice *host, lrd_slice *behind)
{
	bool has_brackets = rest.size > 0 && rest.bytes[0] == '[';
	const char *end = rest.size == 0 ? NULL : memchr(rest.bytes, has_brackets ? ']' : ':', rest.size);
	if (has_brackets && end == NULL) {
		return false;
	}
	size_t size = end == NULL ? rest.size : (size_t) (end - rest.bytes);
	*behind = from(rest, has_brackets ? size + 1 : size);
	*host = has_brackets ? (lrd_slice) { rest.bytes + 1, size - 1 } : (lrd_slice) { rest.bytes, size };
	return true;
}

static bool read_host(lrd_slice text, lrd_slice rest, lrd_address *address, char why[LRD_ADDRESS_WHY])
{
	lrd_slice behind;
	if (rest.size > 0 && memchr(rest.bytes, '/', rest.size) != NULL) {
		return refuse(text, why, "no \"/\" here: a scheme is \"tls://\" or none, a Unix socket is \"unix:/path\"");
	}
	if (!split(rest, &address->host, &behind)) {
		return refuse(text, why, "\"[\" has no \"]\"");
	}
	bool has_brackets = address->host.bytes != rest.bytes;
	if (has_brackets && !is_ipv6(address->host)) {
		return refuse(text, why, "in brackets stands an IPv6 address: \"[::1]:11211\"");
	}
	if (!has_brackets && behind.size > 0 && memchr(behind.bytes + 1, ':', behind.size - 1) != NULL) {
		return refuse(
			text, why, "one \":\" at most; an IPv6 address has brackets, \"[::1]:11211\", and a weight stands apart");
	}
	if (!has_brackets && !is_name(address->host)) {
		return refuse(text, why, "a host has 1 to 253 letters, digits, \".\", \"-\" or \"_\"");
	}
	address->port = DEFAULT_PORT;
	if (behind.size > 0 && (behind.bytes[0] != ':' || !read_port(from(behind, 1), &address->port))) {
		return refuse(text, why, "behind the host stands \":\" and a port from 1 to 65535, or nothing");
	}
	return true;
}

bool lrd_address_read(lrd_slice text, lrd_address *address, char why[LRD_ADDRESS_WHY])
{
	*address = (lrd_address) { 0 };
	if (text.size == 0) {
		return refuse((lrd_slice) { "", 0 }, why,
			"it is empty; allowed are \"host:port\", \"[::1]:port\", \"unix:/path\", \"tls://host:port\"");
	}
	for (size_t i = 0; i < text.size; i++) {
		unsigned char byte = (unsigned char) text.bytes[i];
		if (byte <= 0x20 || byte == 0x7f) {
			return refuse(text, why, "spaces and control bytes are not allowed");
		}
	}
	if (starts_with(text, "unix:")) {
		return read_unix(text, address, why);
	}
	address->is_tls = starts_with(text, "tls://");
	lrd_slice rest = from(text, address->is_tls ? strlen("tls://") : 0);
	if (address->is_tls && starts_with(rest, "unix:")) {
		return refuse(text, why, "a Unix socket has no TLS: \"unix:/path\"");
	}
	return read_host(text, rest, address, why);
}
