/*
 * The text of requests and replies (memcached's doc/protocol.txt: meta commands, and the classic get for many keys).
 * Encodes and decodes only: it does no I/O, owns no memory, and takes any bytes.
 */
#ifndef LRD_PROTO_H
#define LRD_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lrd_request.h"

#define LRD_PROTO_LINE_MAX 512      /* no request line is longer */
#define LRD_PROTO_REPLY_MAX 2048    /* a longer line of reply is not memcached's */
#define LRD_PROTO_FENCE "larder:fence"

/*
 * The request's line with CR LF; of an ms, the value and another CR LF are to follow. Returns its length. The opaque
 * goes as eight lower-case hexadecimal digits, and only such come back.
 */
size_t lrd_proto_line(char at[LRD_PROTO_LINE_MAX], const lrd_request *request, uint32_t opaque);

typedef enum lrd_parse {
	LRD_PARSE_DONE,                 /* *used bytes made up the line */
	LRD_PARSE_MORE,                 /* it has no end yet */
	LRD_PARSE_BAD,                  /* not a reply, or one with a length that cannot be: the socket is to be closed */
} lrd_parse;

/*
 * One line of reply to a meta request, or an error line. Sets every field of reply except value; they mean nothing
 * unless DONE. It knows no request: whether a command can have this answer, and whether all that was asked for came, is
 * for others to see.
 */
lrd_parse lrd_proto_reply(const char *bytes, size_t size, lrd_reply *reply, size_t *used);

/*
 * Whether a reply with the right opaque can be one to this request: a code that its command has, and if it was done, no
 * less and no more told than asked for. A letter that was damaged on the way would else be taken for another.
 */
bool lrd_proto_fits(const lrd_request *request, const lrd_reply *reply);

/*
 * A line of reply to a classic get: "VALUE key flags size [cas]", "END" (code LRD_CODE_MISS, no value) or an error. key
 * points into bytes.
 */
lrd_parse lrd_proto_classic(const char *bytes, size_t size, lrd_reply *reply, lrd_slice *key, size_t *used);

/*
 * How a key is sent: as it is, or in base64 when it holds a byte up to 0x20 or 0x7f. `at` is written only in the latter
 * case. False: it would be empty or more than LRD_WIRE_KEY_MAX bytes; then nothing of it may be sent.
 */
bool lrd_proto_key(lrd_slice key, char at[LRD_WIRE_KEY_MAX], lrd_slice *wire, bool *is_base64);

/* RFC 4648, section 4. Returns the length, which is (size + 2) / 3 * 4. */
size_t lrd_base64(char *at, const char *bytes, size_t size);

#endif
