/*
 * Both parsers go through the bytes once and stop at the first that no reply can have, so that garbage need not be
 * waited for.
 */
#include <string.h>

#include "lrd_proto.h"

enum { ITEM_MAX = 1 << 30 };            /* memcached's own limit */

#define EVERY_BYTE(value) (UINT64_C(0x0101010101010101) * (value))

/* ---- opaques: eight lower-case hexadecimal digits, all in one word with the first digit on top ---- */

static uint64_t from_text(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return __builtin_bswap64(word);
#else
	return word;
#endif
}

static uint64_t hex_of(uint32_t number)
{
	uint64_t digits = number;
	digits = (digits | digits << 16) & UINT64_C(0x0000ffff0000ffff);
	digits = (digits | digits << 8) & UINT64_C(0x00ff00ff00ff00ff);
	digits = (digits | digits << 4) & EVERY_BYTE(0x0f);
	uint64_t letters = (digits + EVERY_BYTE(6)) >> 4 & EVERY_BYTE(1);
	return digits + EVERY_BYTE('0') + letters * ('a' - '0' - 10);
}

/* Takes other bytes than such digits, too: the caller compares the result with hex_of(). */
static uint32_t number_of(uint64_t hex)
{
	uint64_t letters = hex >> 6 & EVERY_BYTE(1);
	uint64_t digits = ((hex & EVERY_BYTE(0x0f)) + letters * 9) & EVERY_BYTE(0x0f);
	digits = (digits | digits >> 4) & UINT64_C(0x00ff00ff00ff00ff);
	digits = (digits | digits >> 8) & UINT64_C(0x0000ffff0000ffff);
	return (uint32_t) (digits | digits >> 16);
}

/* ---- requests ---- */

static char *put_number(char *at, uint64_t number)
{
	char digits[20];
	unsigned count = 0;
	do {
		digits[count++] = (char) ('0' + number % 10);
		number /= 10;
	} while (number != 0);
	while (count > 0) {
		*at++ = digits[--count];
	}
	return at;
}

static char *put_flag(char *at, char flag)
{
	*at++ = ' ';
	*at++ = flag;
	return at;
}

static char *put_signed(char *at, char flag, int64_t number)
{
	at = put_flag(at, flag);
	if (number < 0) {
		*at++ = '-';
		return put_number(at, UINT64_C(0) - (uint64_t) number);
	}
	return put_number(at, (uint64_t) number);
}

static char *put_opaque(char *at, uint32_t opaque)
{
	uint64_t hex = from_text(hex_of(opaque));
	at = put_flag(at, 'O');
	memcpy(at, &hex, sizeof hex);
	return at + sizeof hex;
}

/*
 * What comes back, in this order. The server goes through a line's flags in turn: t stands before T, so that it tells
 * the ttl as it was.
 */
static char *put_asked(char *at, unsigned with)
{
	if (with & LRD_ASK_VALUE) {
		at = put_flag(at, 'v');
	}
	if (with & LRD_ASK_FLAGS) {
		at = put_flag(at, 'f');
	}
	if (with & LRD_ASK_CAS) {
		at = put_flag(at, 'c');
	}
	if (with & LRD_ASK_TTL) {
		at = put_flag(at, 't');
	}
	if (with & LRD_ASK_SIZE) {
		at = put_flag(at, 's');
	}
	return at;
}

static char *put_carried(char *at, const lrd_request *request)
{
	unsigned with = request->with;
	if (with & LRD_WITH_CAS) {
		at = put_number(put_flag(at, 'C'), request->cas);
	}
	if (with & LRD_WITH_VIVIFY) {
		at = put_signed(at, 'N', request->vivify);
		if (request->command == LRD_MA) {
			at = put_number(put_flag(at, 'J'), request->initial);
		}
	}
	if (with & LRD_WITH_RECACHE) {
		at = put_signed(at, 'R', request->vivify);
	}
	if (with & LRD_WITH_STALE) {
		at = put_flag(at, 'I');
	}
	if (with & LRD_WITH_TTL) {
		at = put_signed(at, 'T', request->ttl);
	}
	return at;
}

static char *put_mode(char *at, char mode)
{
	if (mode != 0) {
		at = put_flag(at, 'M');
		*at++ = mode;
	}
	return at;
}

size_t lrd_proto_line(char start[LRD_PROTO_LINE_MAX], const lrd_request *request, uint32_t opaque)
{
	char *at = start;
	*at++ = 'm';
	*at++ = "gsda"[request->command];
	*at++ = ' ';
	memcpy(at, request->key.bytes, request->key.size);
	at += request->key.size;
	if (request->command == LRD_MS) {
		*at++ = ' ';
		at = put_number(at, request->value.size);
	}
	if (request->is_base64) {
		at = put_flag(at, 'b');
	}
	if (request->command == LRD_MS && request->flags != 0) {
		at = put_number(put_flag(at, 'F'), request->flags);
	}
	if (request->command == LRD_MA) {
		at = put_number(put_flag(at, 'D'), request->delta);
	}
	at = put_mode(at, request->mode);
	at = put_asked(at, request->with);
	if (request->with >= LRD_WITH_TTL) {
		at = put_carried(at, request);
	}
	at = put_opaque(at, opaque);
	*at++ = '\r';
	*at++ = '\n';
	return (size_t) (at - start);
}

/* ---- pieces of a reply ---- */

typedef struct cursor {
	const char *at;
	const char *end;
} cursor;

static lrd_parse read_byte(cursor *c, char byte)
{
	if (c->at == c->end) {
		return LRD_PARSE_MORE;
	}
	return *c->at++ == byte ? LRD_PARSE_DONE : LRD_PARSE_BAD;
}

/* The rest of a word whose beginning was read already. */
static lrd_parse read_word(cursor *c, const char *word, size_t size)
{
	size_t left = (size_t) (c->end - c->at);
	size_t common = left < size ? left : size;
	if (memcmp(c->at, word, common) != 0) {
		return LRD_PARSE_BAD;
	}
	c->at += common;
	return common == size ? LRD_PARSE_DONE : LRD_PARSE_MORE;
}

/* Decimal, without leading zeros, up to max. Done only when the byte behind it is there too. */
static lrd_parse read_number(cursor *c, uint64_t max, uint64_t *number)
{
	const char *at = c->at;
	uint64_t sum = 0;
	for (; at != c->end; at++) {
		unsigned digit = (unsigned char) *at - (unsigned) '0';
		if (digit > 9) {
			break;
		}
		bool leads_with_zero = sum == 0 && at != c->at;
		if (leads_with_zero || sum > UINT64_MAX / 10) {
			return LRD_PARSE_BAD;
		}
		sum = sum * 10 + digit;
		if (sum < digit || sum > max) {
			return LRD_PARSE_BAD;
		}
	}
	if (at == c->end) {
		return LRD_PARSE_MORE;
	}
	if (at == c->at) {
		return LRD_PARSE_BAD;
	}
	c->at = at;
	*number = sum;
	return LRD_PARSE_DONE;
}

static lrd_parse read_u32(cursor *c, uint32_t *number)
{
	uint64_t wide = 0;
	lrd_parse parse = read_number(c, UINT32_MAX, &wide);
	*number = (uint32_t) wide;
	return parse;
}

static lrd_parse read_ttl(cursor *c, int64_t *ttl)
{
	if (c->at != c->end && *c->at == '-') {
		*ttl = -1;
		return read_word(c, "-1", 2);
	}
	uint64_t wide = 0;
	lrd_parse parse = read_number(c, INT64_MAX, &wide);
	*ttl = (int64_t) wide;
	return parse;
}

static lrd_parse read_opaque(cursor *c, uint32_t *opaque)
{
	uint64_t hex = EVERY_BYTE('0');
	size_t left = (size_t) (c->end - c->at), size = left < sizeof hex ? left : sizeof hex;
	memcpy(&hex, c->at, size);
	hex = from_text(hex);
	*opaque = number_of(hex);
	if (hex_of(*opaque) != hex) {
		return LRD_PARSE_BAD;
	}
	c->at += size;
	return size == sizeof hex ? LRD_PARSE_DONE : LRD_PARSE_MORE;
}

/* ---- error lines ---- */

static bool begins_with(lrd_slice text, const char *word)
{
	size_t size = strlen(word);
	return text.size >= size && memcmp(text.bytes, word, size) == 0;
}

static lrd_code server_error(lrd_slice text)
{
	if (begins_with(text, "object too large for cache")) {
		return LRD_CODE_TOO_LARGE;
	}
	if (begins_with(text, "out of memory") || begins_with(text, "Out of memory")) {
		return LRD_CODE_NO_MEMORY;
	}
	return LRD_CODE_SERVER_ERROR;
}

static lrd_code client_error(lrd_slice text)
{
	if (begins_with(text, "cannot increment or decrement non-numeric value")) {
		return LRD_CODE_NOT_A_NUMBER;
	}
	if (begins_with(text, "unauthenticated") || begins_with(text, "authentication failure")
			|| begins_with(text, "bad authentication token format")) {
		return LRD_CODE_DENIED;
	}
	return LRD_CODE_CLIENT_ERROR;
}

/* The rest of a line up to its CR LF: empty, or a space and text without control bytes. */
static lrd_parse read_text(cursor *c, const char *start, lrd_slice *text)
{
	const char *first = c->at;
	for (; c->at != c->end; c->at++) {
		if (c->at - start > LRD_PROTO_REPLY_MAX - 2) {
			return LRD_PARSE_BAD;
		}
		unsigned char byte = (unsigned char) *c->at;
		if (byte == '\r') {
			*text = (lrd_slice) { c->at == first ? first : first + 1,
				c->at == first ? 0 : (size_t) (c->at - first - 1) };
			return read_word(c, "\r\n", 2);
		}
		if (byte < 0x20 || byte == 0x7f || (c->at == first && byte != ' ')) {
			return LRD_PARSE_BAD;
		}
	}
	return LRD_PARSE_MORE;
}

/* A line that begins with none of the two letters of a code. */
static lrd_parse read_error(cursor *c, lrd_reply *reply)
{
	static const struct {
		const char *word;
		size_t size;
	} words[] = { { "ERROR", 5 }, { "SERVER_ERROR", 12 }, { "CLIENT_ERROR", 12 }, { "BUSY", 4 } };
	enum { ERROR, SERVER_ERROR, CLIENT_ERROR, BUSY, NONE };
	unsigned which = ERROR;
	while (which < NONE && words[which].word[0] != *c->at) {
		which++;
	}
	if (which == NONE) {
		return LRD_PARSE_BAD;
	}
	const char *start = c->at;
	lrd_slice text = { NULL, 0 };
	lrd_parse parse = read_word(c, words[which].word, words[which].size);
	if (parse == LRD_PARSE_DONE) {
		parse = read_text(c, start, &text);
	}
	if (parse != LRD_PARSE_DONE) {
		return parse;
	}
	switch (which) {
		case ERROR:
			/* With a text it is no answer to a command: "ERROR Too many open connections". */
			reply->code = text.size == 0 ? LRD_CODE_UNKNOWN_COMMAND : LRD_CODE_SERVER_ERROR;
			break;
		case SERVER_ERROR:
			reply->code = (uint8_t) server_error(text);
			break;
		case CLIENT_ERROR:
			reply->code = (uint8_t) client_error(text);
			break;
		default:
			reply->code = LRD_CODE_BUSY;
	}
	return LRD_PARSE_DONE;
}

/* ---- a reply ---- */

/* Bytes of "HD O01234567" with CR LF. */
enum { TAGGED_STATUS = 14 };

#define LETTER(flag) (1u << ((flag) & 31))

static void clear(lrd_reply *reply)
{
	char *value = reply->value;
	*reply = (lrd_reply) { .value = value };
}

static lrd_parse read_flag(cursor *c, char flag, lrd_reply *reply)
{
	switch (flag) {
		case 'O':
			reply->has_opaque = true;
			return read_opaque(c, &reply->opaque);
		case 'f':
			reply->told |= LRD_ASK_FLAGS;
			return read_u32(c, &reply->flags);
		case 'c':
			reply->told |= LRD_ASK_CAS;
			return read_number(c, UINT64_MAX, &reply->cas);
		case 't':
			reply->told |= LRD_ASK_TTL;
			return read_ttl(c, &reply->ttl);
		case 's': {
			uint64_t size = 0;
			lrd_parse parse = read_number(c, ITEM_MAX, &size);
			if (parse != LRD_PARSE_DONE) {
				return parse;
			}
			reply->told |= LRD_ASK_SIZE;
			bool differs = reply->has_value && size != reply->size;
			reply->size = size;
			return differs ? LRD_PARSE_BAD : LRD_PARSE_DONE;
		}
		case 'W':
			reply->won = true;
			return LRD_PARSE_DONE;
		case 'X':
			reply->stale = true;
			return LRD_PARSE_DONE;
		case 'Z':
			reply->waiting = true;
			return LRD_PARSE_DONE;
		default:
			return LRD_PARSE_BAD;
	}
}

/* Each flag once, and only such as were asked for or belong to a lease: anything else was not written by memcached. */
static lrd_parse read_flags(cursor *c, lrd_reply *reply)
{
	uint32_t seen = 0;
	for (;;) {
		if (c->at == c->end) {
			return LRD_PARSE_MORE;
		}
		char byte = *c->at++;
		if (byte == '\r') {
			break;
		}
		if (byte != ' ') {
			return LRD_PARSE_BAD;
		}
		if (c->at == c->end) {
			return LRD_PARSE_MORE;
		}
		char flag = *c->at++;
		lrd_parse parse = read_flag(c, flag, reply);
		if (parse != LRD_PARSE_DONE) {
			return parse;
		}
		/* Of the flags that read_flag() knows no two share their lower five bits. */
		if (seen & LETTER(flag)) {
			return LRD_PARSE_BAD;
		}
		seen |= LETTER(flag);
	}
	bool leased = reply->won || reply->stale || reply->waiting;
	if ((reply->won && reply->waiting) || (leased && reply->code != LRD_CODE_OK)) {
		return LRD_PARSE_BAD;
	}
	return read_byte(c, '\n');
}

static lrd_parse read_size(cursor *c, lrd_reply *reply)
{
	lrd_parse parse = read_byte(c, ' ');
	if (parse != LRD_PARSE_DONE) {
		return parse;
	}
	reply->has_value = true;
	return read_number(c, ITEM_MAX, &reply->size);
}

/* LRD_CODE_NONE: these two letters are no code of ours. */
static lrd_code code_of(char first, char second)
{
	switch (first) {
		case 'H':
			return second == 'D' ? LRD_CODE_OK : LRD_CODE_NONE;
		case 'V':
			return second == 'A' ? LRD_CODE_OK : LRD_CODE_NONE;
		case 'O':
			return second == 'K' ? LRD_CODE_OK : LRD_CODE_NONE;
		case 'E':
			return second == 'N' ? LRD_CODE_MISS : second == 'X' ? LRD_CODE_EXISTS : LRD_CODE_NONE;
		case 'N':
			return second == 'F' ? LRD_CODE_NOT_FOUND : second == 'S' ? LRD_CODE_NOT_STORED : LRD_CODE_NONE;
		default:
			return LRD_CODE_NONE;
	}
}

static lrd_parse read_reply(cursor *c, lrd_reply *reply)
{
	if (c->end - c->at < 2) {
		return c->at == c->end || memchr("HVOENSCB", *c->at, 8) != NULL ? LRD_PARSE_MORE : LRD_PARSE_BAD;
	}
	char first = c->at[0];
	lrd_code code = code_of(first, c->at[1]);
	if (code == LRD_CODE_NONE) {
		return read_error(c, reply);
	}
	reply->code = (uint8_t) code;
	c->at += 2;
	if (first == 'O') {
		return read_word(c, "\r\n", 2);
	}
	if (first == 'V') {
		lrd_parse parse = read_size(c, reply);
		if (parse != LRD_PARSE_DONE) {
			return parse;
		}
	}
	return read_flags(c, reply);
}

/* "HD O" and eight digits: what nearly every write is answered. False: it is another line, or not whole. */
static bool read_tagged_status(const char *bytes, size_t size, lrd_reply *reply)
{
	if (size < TAGGED_STATUS || bytes[0] == 'V' || bytes[0] == 'O' || memcmp(bytes + 2, " O", 2) != 0
		|| memcmp(bytes + TAGGED_STATUS - 2, "\r\n", 2) != 0) {
		return false;
	}
	cursor c = { bytes + 4, bytes + TAGGED_STATUS - 2 };
	reply->code = (uint8_t) code_of(bytes[0], bytes[1]);
	reply->has_opaque = true;
	return reply->code != LRD_CODE_NONE && read_opaque(&c, &reply->opaque) == LRD_PARSE_DONE;
}

lrd_parse lrd_proto_reply(const char *bytes, size_t size, lrd_reply *reply, size_t *used)
{
	cursor c = { bytes, bytes + size };
	clear(reply);
	if (read_tagged_status(bytes, size, reply)) {
		*used = TAGGED_STATUS;
		return LRD_PARSE_DONE;
	}
	clear(reply);
	lrd_parse parse = read_reply(&c, reply);
	*used = parse == LRD_PARSE_DONE ? (size_t) (c.at - bytes) : 0;
	return parse;
}

/* ---- a reply to a classic get ---- */

static lrd_parse read_key(cursor *c, lrd_slice *key)
{
	*key = (lrd_slice) { c->at, 0 };
	for (; c->at != c->end; c->at++) {
		unsigned char byte = (unsigned char) *c->at;
		if (byte == ' ') {
			key->size = (size_t) (c->at - key->bytes);
			return key->size == 0 ? LRD_PARSE_BAD : LRD_PARSE_DONE;
		}
		if (byte < 0x20 || byte == 0x7f || c->at - key->bytes == LRD_WIRE_KEY_MAX) {
			return LRD_PARSE_BAD;
		}
	}
	return LRD_PARSE_MORE;
}

/* " size [cas] CR LF" */
static lrd_parse read_value_end(cursor *c, lrd_reply *reply)
{
	lrd_parse parse = read_size(c, reply);
	if (parse != LRD_PARSE_DONE) {
		return parse;
	}
	if (*c->at == ' ') {
		c->at++;
		parse = read_number(c, UINT64_MAX, &reply->cas);
		if (parse != LRD_PARSE_DONE) {
			return parse;
		}
	}
	return read_word(c, "\r\n", 2);
}

static lrd_parse read_value_line(cursor *c, lrd_reply *reply, lrd_slice *key)
{
	reply->code = LRD_CODE_OK;
	lrd_parse parse = read_word(c, "VALUE ", 6);
	if (parse == LRD_PARSE_DONE) {
		parse = read_key(c, key);
	}
	if (parse == LRD_PARSE_DONE) {
		parse = read_byte(c, ' ');
	}
	if (parse == LRD_PARSE_DONE) {
		parse = read_u32(c, &reply->flags);
	}
	return parse == LRD_PARSE_DONE ? read_value_end(c, reply) : parse;
}

lrd_parse lrd_proto_classic(const char *bytes, size_t size, lrd_reply *reply, lrd_slice *key, size_t *used)
{
	cursor c = { bytes, bytes + size };
	lrd_parse parse = LRD_PARSE_MORE;
	clear(reply);
	*key = (lrd_slice) { NULL, 0 };
	if (size > 0 && bytes[0] == 'V') {
		parse = read_value_line(&c, reply, key);
	} else if (size > 1 && bytes[0] == 'E' && bytes[1] == 'N') {
		reply->code = LRD_CODE_MISS;
		parse = read_word(&c, "END\r\n", 5);
	} else if (size > 1 || (size == 1 && bytes[0] != 'E')) {
		parse = read_error(&c, reply);
	}
	*used = parse == LRD_PARSE_DONE ? (size_t) (c.at - bytes) : 0;
	return parse;
}

bool lrd_proto_fits(const lrd_request *request, const lrd_reply *reply)
{
	const uint16_t asked = LRD_ASK_VALUE | LRD_ASK_FLAGS | LRD_ASK_CAS | LRD_ASK_TTL | LRD_ASK_SIZE;

	switch (reply->code) {
		case LRD_CODE_OK:
			return (reply->told | (reply->has_value ? LRD_ASK_VALUE : 0)) == (request->with & asked);
		case LRD_CODE_MISS:
			return request->command == LRD_MG;
		case LRD_CODE_NOT_FOUND:
		case LRD_CODE_EXISTS:
			return request->command != LRD_MG;
		case LRD_CODE_NOT_STORED:
			return request->command == LRD_MS || request->command == LRD_MA;
		default:
			return true;
	}
}
