#include "php_failure.h"

#include "zend_enum.h"
#include "zend_smart_str.h"

#include "../php_larder.h"

zend_class_entry *php_failure_ce;
zend_class_entry *php_failure_kind_ce;

typedef enum failure_property {     /* in the order of larder.stub.php */
	FAILURE_KIND,
	FAILURE_SERVER,
	FAILURE_KEY,
	FAILURE_MESSAGE,
	FAILURE_SIZE,
	FAILURE_LIMIT,
} failure_property;

/* By lrd_failure. */
static const struct {
	const char *name;
	bool of_server;             /* whatever the key */
} kinds[] = {
	[LRD_FAILURE_DOWN] = {"Down", true},
	[LRD_FAILURE_UNRESOLVED] = {"Unresolved", true},
	[LRD_FAILURE_UNREACHABLE] = {"Unreachable", true},
	[LRD_FAILURE_TIMED_OUT] = {"TimedOut", true},
	[LRD_FAILURE_CLOSED] = {"Closed", true},
	[LRD_FAILURE_OUT_OF_STEP] = {"OutOfStep", true},
	[LRD_FAILURE_DENIED] = {"Denied", true},
	[LRD_FAILURE_TOO_LARGE] = {"TooLarge", false},
	[LRD_FAILURE_NO_MEMORY] = {"NoMemory", false},
	[LRD_FAILURE_SERVER_ERROR] = {"ServerError", false},
	[LRD_FAILURE_CLIENT_ERROR] = {"NotUnderstood", true},
	[LRD_FAILURE_UNKNOWN_COMMAND] = {"NotUnderstood", true},
	[LRD_FAILURE_CONTENDED] = {"Contended", false},
	[PHP_FAILURE_UNREADABLE] = {"Unreadable", false},
	[PHP_FAILURE_OVER_SIZE] = {"OverLimit", false},
	[PHP_FAILURE_OVER_MEMORY] = {"OverLimit", false},
	[PHP_FAILURE_OVER_TIME] = {"OverLimit", false},
	[PHP_FAILURE_OVER_DEPTH] = {"OverLimit", false},
	[PHP_FAILURE_GONE] = {"ClassGone", false},
	[PHP_FAILURE_CHANGED] = {"ClassChanged", false},
	[PHP_FAILURE_REFUSED] = {"ClassRefused", false},
};

void php_failure_watch(bool on)
{
	value_watch_classes(on);
}

static bool is_noted(const php_failures *failures, uint8_t kind, uint32_t server)
{
	/* From the end: the keys of one server mostly fail one after the other. */
	for (uint32_t i = failures->count; i > 0; i--) {
		if (failures->notes[i - 1].kind == kind && failures->notes[i - 1].server == server) {
			return true;
		}
	}
	return false;
}

static void add_note(php_failures **failures, php_failure_note note)
{
	php_failures *all = *failures;

	if (all == NULL || all->count == all->room) {
		uint32_t room = all == NULL ? 4 : 2 * all->room;
		all = safe_erealloc(all, room, sizeof(php_failure_note), sizeof(php_failures));
		all->count = *failures == NULL ? 0 : all->count;
		all->room = room;
		*failures = all;
	}
	all->notes[all->count++] = note;
}

void php_failures_note(php_failures **failures, uint8_t kind, uint32_t server, zend_string *key, size_t size)
{
	if (kinds[kind].of_server) {
		if (*failures != NULL && is_noted(*failures, kind, server)) {
			return;
		}
		key = NULL;
	}
	add_note(failures, (php_failure_note) {
		.key = key != NULL ? zend_string_copy(key) : NULL,
		.size = size,
		.server = server,
		.kind = kind,
	});
}

php_failure_note php_failure_note_of(const value_flaw *flaw, uint32_t server, zend_string *key)
{
	static const uint8_t by_flaw[] = {
		[VALUE_FLAW_BYTES] = PHP_FAILURE_UNREADABLE,
		[VALUE_FLAW_GONE] = PHP_FAILURE_GONE,
		[VALUE_FLAW_CHANGED] = PHP_FAILURE_CHANGED,
		[VALUE_FLAW_REFUSED] = PHP_FAILURE_REFUSED,
	};

	return (php_failure_note) {
		.key = zend_string_copy(key),
		.reason = flaw->reason[0] != '\0' ? zend_string_init(flaw->reason, strlen(flaw->reason), 0) : NULL,
		.server = server,
		.kind = by_flaw[flaw->kind],
	};
}

void php_failures_note_flaw(php_failures **failures, const value_flaw *flaw, uint32_t server, zend_string *key)
{
	add_note(failures, php_failure_note_of(flaw, server, key));
}

void php_failure_note_free(php_failure_note *note)
{
	if (note->key != NULL) {
		zend_string_release(note->key);
	}
	if (note->reason != NULL) {
		zend_string_release(note->reason);
	}
}

void php_failures_free(php_failures *failures)
{
	if (failures == NULL) {
		return;
	}
	for (uint32_t i = 0; i < failures->count; i++) {
		php_failure_note_free(&failures->notes[i]);
	}
	efree(failures);
}

/* What happened and what can be done about it; behind the server's name and, where there is one, the key. */
static void add_sentence(smart_str *text, const php_failure_note *note, const php_failure_place *place)
{
	switch (note->kind) {
		case LRD_FAILURE_DOWN:
			smart_str_appends(
				text, "is known to be dead and was not asked; it is tried again after the retry interval ($retry)");
			return;
		case LRD_FAILURE_UNRESOLVED:
			smart_str_appends(text,
				"does not resolve: no address was found for its name within $dnsTimeout; see that the name is right and "
				"that DNS answers");
			return;
		case LRD_FAILURE_UNREACHABLE:
			smart_str_appends(
				text, "cannot be reached: see that memcached is running there and that the address is right");
			return;
		case LRD_FAILURE_TIMED_OUT:
			smart_str_append_printf(text,
				"did not answer within %u ms: it is overloaded or far away, or $timeout is too short",
				place->timeout_ms);
			return;
		case LRD_FAILURE_CLOSED:
			smart_str_appends(text,
				"closed the connection before it answered: it was stopped, or has more connections than its option -c "
				"allows");
			return;
		case LRD_FAILURE_OUT_OF_STEP:
			smart_str_appends(text,
				"sent what is not the reply to our request, and the connection was closed: see that it is memcached, "
				"and what stands between");
			return;
		case LRD_FAILURE_DENIED:
			if (place->why != NULL && place->why[0] != '\0') {
				smart_str_append_printf(text, "is refused by us, see $tlsCa and $tlsName: %s", place->why);
			} else {
				smart_str_appends(text, "does not take our $user and $password");
			}
			return;
		case LRD_FAILURE_TOO_LARGE:
			smart_str_append_printf(text, "takes no item of that size: the value has %zu bytes", note->size);
			if (place->limit > 0) {
				smart_str_append_printf(text, " and the limit is %llu, key and all", (unsigned long long) place->limit);
			}
			smart_str_appends(text, "; store less, choose a $compressor, or raise the server's option -I");
			return;
		case LRD_FAILURE_NO_MEMORY:
			smart_str_appends(text, "has no memory left for it: raise the server's option -m");
			return;
		case LRD_FAILURE_SERVER_ERROR:
			smart_str_appends(text, "answered with an error of its own: its log (option -v) tells more");
			return;
		case LRD_FAILURE_CLIENT_ERROR:
		case LRD_FAILURE_UNKNOWN_COMMAND:
			smart_str_appends(text, "does not understand us: memcached 1.6.18 or later is needed");
			return;
		case LRD_FAILURE_CONTENDED:
			smart_str_appends(text,
				"was not written to: others changed the key each time between our look and our write; try again later");
			return;
		case PHP_FAILURE_OVER_SIZE:
			smart_str_append_printf(text,
				"has %zu bytes or more for it, and " ZEND_LONG_FMT " are taken: store less, or raise "
				"larder.memcached_value_max", note->size, LARDER_G(memcached_value_max));
			return;
		case PHP_FAILURE_OVER_MEMORY:
			smart_str_append_printf(text,
				"has a value that takes %zu bytes or more here, which memory_limit does not have left: store less, or "
				"raise it", note->size);
			return;
		case PHP_FAILURE_OVER_TIME:
			smart_str_append_printf(text,
				"has a value that was not decoded, for the " ZEND_LONG_FMT " ms of larder.memcached_decode_timeout were "
				"over: ask for fewer or smaller ones, or raise it", LARDER_G(memcached_decode_timeout));
			return;
		case PHP_FAILURE_OVER_DEPTH:
			smart_str_appends(text,
				"has a value that is nested more deeply than unserialize_max_depth allows: store it flatter, or raise it");
			return;
		case PHP_FAILURE_GONE:
			smart_str_appends(text,
				"holds what is of a class, an enum or a case that is not there any more: have it made anew, or bring "
				"that back");
			break;
		case PHP_FAILURE_REFUSED:
			smart_str_appends(text,
				"holds an object of a class that $objects does not list, and it was not made: list the class, store an "
				"array, or see who writes to this server");
			break;
		case PHP_FAILURE_CHANGED:
			smart_str_appends(text,
				"holds an object that its class does not take any more: have it made anew, or let the class read what "
				"earlier ones wrote");
			break;
		default:
			smart_str_appends(text,
				"holds what is damaged or in no format that we know: see that all clients of this key have the same "
				"options");
	}
	if (note->reason != NULL) {
		smart_str_appends(text, " (");
		smart_str_append_escaped(text, ZSTR_VAL(note->reason), ZSTR_LEN(note->reason));
		smart_str_appendc(text, ')');
	}
}

static zend_string *message(const php_failure_note *note, const php_failure_place *place)
{
	smart_str text = {0};

	if (note->key != NULL) {
		smart_str_appendc(&text, '"');
		smart_str_append_escaped(&text, ZSTR_VAL(note->key), ZSTR_LEN(note->key));
		smart_str_appends(&text, "\": ");
	}
	smart_str_appendl(&text, place->server.bytes, place->server.size);
	smart_str_appendc(&text, ' ');
	add_sentence(&text, note, place);
	smart_str_0(&text);
	return text.s;
}

void php_failure_from(zval *failure, const php_failure_note *note, const php_failure_place *place)
{
	bool is_of_value = note->kind == PHP_FAILURE_OVER_SIZE || note->kind == PHP_FAILURE_OVER_MEMORY;
	bool is_size = note->kind == LRD_FAILURE_TOO_LARGE || is_of_value;
	uint64_t limit = note->kind == PHP_FAILURE_OVER_SIZE ? (uint64_t) LARDER_G(memcached_value_max) : place->limit;

	object_init_ex(failure, php_failure_ce);
	zend_object *object = Z_OBJ_P(failure);
	/* Written to directly: readonly binds userland only. */
	ZVAL_OBJ_COPY(
		OBJ_PROP_NUM(object, FAILURE_KIND), zend_enum_get_case_cstr(php_failure_kind_ce, kinds[note->kind].name));
	ZVAL_STRINGL(OBJ_PROP_NUM(object, FAILURE_SERVER), place->server.bytes, place->server.size);
	ZVAL_NULL(OBJ_PROP_NUM(object, FAILURE_KEY));
	if (note->key != NULL) {
		ZVAL_STR_COPY(OBJ_PROP_NUM(object, FAILURE_KEY), note->key);
	}
	ZVAL_STR(OBJ_PROP_NUM(object, FAILURE_MESSAGE), message(note, place));
	ZVAL_NULL(OBJ_PROP_NUM(object, FAILURE_SIZE));
	ZVAL_NULL(OBJ_PROP_NUM(object, FAILURE_LIMIT));
	if (is_size) {
		ZVAL_LONG(OBJ_PROP_NUM(object, FAILURE_SIZE), (zend_long) note->size);
	}
	if (is_size && limit > 0) {
		ZVAL_LONG(OBJ_PROP_NUM(object, FAILURE_LIMIT), (zend_long) limit);
	}
}

/* Private: nobody else makes one. */
ZEND_METHOD(Larder_Failure, __construct)
{
	(void) return_value;
	ZEND_PARSE_PARAMETERS_NONE();
}
