#include "php_segment.h"

#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "SAPI.h"
#include "zend_smart_str.h"

#include "../core/base/lrd_clock.h"
#include "php_loss.h"

#define SEGMENT_SIZE_MIN ((zend_long) 2 * 1024 * 1024)
#define SEGMENT_SIZE_USUAL ((zend_long) 64 * 1024 * 1024)     /* as php.ini has it when it says nothing */
#define SEGMENT_NAME_MAX 100
#define SEGMENT_RENEW_WAIT_MS 100       /* for another process that makes the segment anew */
#define SEGMENT_RENEW_AFTER_MS 1000     /* behind a refusal */

/* Of the process: written before there is a second thread, but for what is atomic. */
static struct {
	lrd_store *opened;              /* the handle of the first thread; others join it */
	char path[MAXPATHLEN];          /* "": anonymous */
	char why[LRD_SEGMENT_WHY];      /* of the last refusal */
	lrd_status status;
	bool refused;                   /* one was named, this is another */
	const char *copies;             /* why requests copy; NULL: they share */
	_Atomic bool has_children;      /* by pcntl_fork(): they see the segment too */
	uint64_t refused_ns;            /* when it could last not be opened anew */
} segment;

/* Held by who changes segment.opened once there are threads. */
static pthread_mutex_t renewing = PTHREAD_MUTEX_INITIALIZER;

/* What LARDER_G(segment) is where there is no store: never alive. */
static lrd_segment_header no_header;
static const lrd_segment no_segment = {.header = &no_header, .alive = 1};

/* A process that attaches must lay out zvals as the maker did. Plain fields: a difference can be read in a dump. */
typedef struct segment_stamp {
	uint32_t api;
	uint8_t major, minor, pointer, zval_size, bucket_size, table_size;
	uint16_t spare[3];
	uint64_t hash_probe;
	uint64_t build;
} segment_stamp;

_Static_assert(sizeof(segment_stamp) == LRD_SEGMENT_STAMP, "the stamp fills its field");

static void stamp_of_this_build(uint8_t stamp[LRD_SEGMENT_STAMP])
{
	segment_stamp fields = {
		.api = ZEND_MODULE_API_NO,
		.major = PHP_MAJOR_VERSION,
		.minor = PHP_MINOR_VERSION,
		.pointer = sizeof(void *),
		.zval_size = sizeof(zval),
		.bucket_size = sizeof(Bucket),
		.table_size = sizeof(HashTable),
		.hash_probe = zend_hash_func("larder", strlen("larder")),
		.build = zend_hash_func(ZEND_MODULE_BUILD_ID, strlen(ZEND_MODULE_BUILD_ID)),
	};
	memcpy(stamp, &fields, sizeof(fields));
}

static bool name_is_valid(const char *name)
{
	size_t length = strlen(name);
	return length <= SEGMENT_NAME_MAX
		&& strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") == length;
}

/* The file that larder.name means. False, with a reason: none can be. */
static bool path_of_name(void)
{
	if (!name_is_valid(LARDER_G(name))) {
		snprintf(segment.why, sizeof(segment.why),
			"larder.name must be 1 to %d letters, digits, dots, dashes or underscores", SEGMENT_NAME_MAX);
		return false;
	}
	int length = snprintf(segment.path, sizeof(segment.path), "%s/larder.%s", LARDER_G(directory), LARDER_G(name));
	if (length < 0 || (size_t) length >= sizeof(segment.path)) {
		snprintf(segment.why, sizeof(segment.why), "larder.directory is too long");
		return false;
	}
	return true;
}

/* A name, or a number that no name is. */
static bool id_of(const char *setting, const char *value, bool is_group, lrd_segment_id *id)
{
	char *end;
	unsigned long number = strtoul(value, &end, 10);

	if (value[0] == '\0') {
		return true;
	}
	if (is_group) {
		const struct group *group = getgrnam(value);
		*id = (lrd_segment_id) {.given = group != NULL, .id = group != NULL ? group->gr_gid : 0};
	} else {
		const struct passwd *user = getpwnam(value);
		*id = (lrd_segment_id) {.given = user != NULL, .id = user != NULL ? user->pw_uid : 0};
	}
	if (!id->given && *end == '\0' && value[0] != '-' && number < UINT32_MAX) {
		*id = (lrd_segment_id) {.given = true, .id = (uint32_t) number};
	}
	if (!id->given) {
		snprintf(segment.why, sizeof(segment.why), "%s: there is no %s \"%.100s\"", setting,
			is_group ? "group" : "user", value);
	}
	return id->given;
}

static bool who_may_join(lrd_segment_options *options)
{
	return id_of("larder.owner", LARDER_G(owner), false, &options->owner)
		&& id_of("larder.group", LARDER_G(group), true, &options->group);
}

static void use_store(lrd_store *store)
{
	LARDER_G(store) = store;
	LARDER_G(segment) = store != NULL ? lrd_store_segment(store) : &no_segment;
	LARDER_G(shift) = store != NULL ? lrd_store_shift(store) : 0;
}

static lrd_status open_waiting(const char *path, uint64_t base, unsigned wait_ms, char why[LRD_SEGMENT_WHY])
{
	lrd_store *store = NULL;
	lrd_store_options options = {
		.segment = {
			.path = path,
			.size = (size_t) MAX(LARDER_G(size), SEGMENT_SIZE_MIN),
			.base = base,
			.wait_ms = wait_ms,
		},
		.shards = (unsigned) LARDER_G(shards),
		.slots = (unsigned) LARDER_G(slots),
		.lock_ms = (unsigned) LARDER_G(lock_timeout),
	};
	stamp_of_this_build(options.segment.stamp);
	if (path != NULL && !who_may_join(&options.segment)) {
		return LRD_BAD_OWNER;
	}
	segment.status = lrd_store_open(&options, &store, why);
	if (segment.status != LRD_OK && segment.status != LRD_MOVED) {
		use_store(NULL);
		return segment.status;
	}
	segment.opened = store;
	use_store(store);
	if (strcmp(LARDER_G(protect), "read") == 0) {
		lrd_store_protect(store, true);
	}
	return LRD_OK;
}

static lrd_status open_store(const char *path, uint64_t base, char why[LRD_SEGMENT_WHY])
{
	return open_waiting(path, base, 0, why);
}

static bool sapi_ends_its_requests(void)
{
	static const char *const names[] = {"fpm-fcgi", "cgi-fcgi", "apache2handler", "litespeed", "cli-server"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(sapi_module.name, names[i]) == 0) {
			return true;
		}
	}
	return false;
}

/* The built-in server, and FrankenPHP by many threads of it: what answers all requests is not alone. */
static bool sapi_answers_by_one_process(void)
{
	return strcmp(sapi_module.name, "cli-server") == 0 || strcmp(sapi_module.name, "frankenphp") == 0;
}

static const char *why_requests_copy(void)
{
	if (segment.status == LRD_MOVED) {
		return "the segment's address is taken in this process, or larder.base is another";
	}
	if (strcmp(LARDER_G(share), "1") == 0) {
		return NULL;
	}
	if (strcmp(LARDER_G(share), "auto") != 0) {
		return "larder.share is 0";
	}
	return sapi_ends_its_requests() ? NULL : "a process of this SAPI may never end its request (larder.share is auto)";
}

/* The same, with shards and slots chosen by size if those that are set do not fit into it. */
static lrd_status open_fitting(const char *path, uint64_t base, char why[LRD_SEGMENT_WHY])
{
	lrd_status status = open_store(path, base, why);

	if (status == LRD_TOO_LARGE && (LARDER_G(shards) != 0 || LARDER_G(slots) != 0)) {
		php_error_docref(NULL, E_WARNING, "larder.shards and larder.slots do not fit into larder.size: %s; their "
			"defaults hold", why);
		LARDER_G(shards) = LARDER_G(slots) = 0;
		status = open_store(path, base, why);
	}
	return status;
}

static lrd_status open_private(uint64_t base, char why[LRD_SEGMENT_WHY])
{
	lrd_status status = open_fitting(NULL, base, why);

	if (status == LRD_SYSTEM && LARDER_G(size) > SEGMENT_SIZE_USUAL) {
		php_error_docref(NULL, E_WARNING, "larder.size is more than this system has: %s; its default holds", why);
		LARDER_G(size) = SEGMENT_SIZE_USUAL;
		status = open_fitting(NULL, base, why);
	}
	return status;
}

/* ---- a segment whose file was cut ---- */

static void join_opened(void)
{
	use_store(lrd_store_join(segment.opened));
	LARDER_G(sharing) = LARDER_G(store) != NULL && segment.copies == NULL;
}

/*
 * Where the named one cannot be had, values of this process alone would be older than those that others see. So it gets
 * one in which nothing is ever found and nothing stored, until there is a named one.
 */
static void stand_in(void)
{
	char why[LRD_SEGMENT_WHY];

	if (open_store(NULL, 0, why) == LRD_OK) {
		lrd_store_end(LARDER_G(store));
	}
}

static void open_anew(void)
{
	uint64_t now = lrd_clock_coarse_ns();

	if (segment.refused_ns != 0 && now < segment.refused_ns + SEGMENT_RENEW_AFTER_MS * LRD_MS_NS) {
		return;
	}
	lrd_store *lost = LARDER_G(store);
	use_store(NULL);
	if (lost != NULL) {
		/* First, so that the new one can have its address. */
		segment.opened = segment.opened == lost ? NULL : segment.opened;
		lrd_store_close(lost);
	}
	char why[LRD_SEGMENT_WHY];
	uint64_t base = strtoull(LARDER_G(base), NULL, 0);
	if (open_waiting(segment.path, base, SEGMENT_RENEW_WAIT_MS, why) == LRD_OK) {
		segment.refused_ns = 0;
		segment.copies = why_requests_copy();
		segment.why[0] = '\0';
	} else {
		if (segment.refused_ns == 0) {
			php_error_docref(NULL, E_WARNING, "%s; until it can be opened again nothing is found or stored", why);
		}
		segment.refused_ns = now;
		memcpy(segment.why, why, sizeof(why));
		stand_in();
	}
	LARDER_G(sharing) = LARDER_G(store) != NULL && segment.copies == NULL;
}

bool php_segment_renew(void)
{
	php_segment_refresh();
	/* Not while there may be pointers into the lost one. */
	if (LARDER_G(pinned) || segment.path[0] == '\0' || pthread_mutex_trylock(&renewing) != 0) {
		return LARDER_G(store) != NULL;
	}
	if (segment.opened != NULL && segment.opened != LARDER_G(store)
		&& lrd_segment_is_alive(lrd_store_segment(segment.opened))) {
		/* Another thread has done it. */
		if (LARDER_G(store) != NULL) {
			lrd_store_close(LARDER_G(store));
		}
		join_opened();
	} else {
		open_anew();
	}
	pthread_mutex_unlock(&renewing);
	return LARDER_G(store) != NULL;
}

/* ---- from the module's start to its end ---- */

void php_segment_open(void)
{
	memset(&segment, 0, sizeof(segment));
	use_store(NULL);
	if (LARDER_G(size) == 0) {
		snprintf(segment.why, sizeof(segment.why), "larder.size is 0");
		return;
	}
	uint64_t base = strtoull(LARDER_G(base), NULL, 0);
	if (LARDER_G(name)[0] != '\0') {
		segment.refused = !path_of_name() || open_fitting(segment.path, base, segment.why) != LRD_OK;
		if (segment.refused) {
			segment.path[0] = '\0';
			php_error_docref(
				NULL, E_WARNING, "%s; this process and its children use a segment of their own", segment.why);
		}
	}
	if (LARDER_G(store) == NULL) {
		char why[LRD_SEGMENT_WHY] = "";
		if (open_private(segment.refused ? 0 : base, why) != LRD_OK) {
			memcpy(segment.why, why, sizeof(why));
			php_error_docref(NULL, E_WARNING, "%s", why);
			return;
		}
	}
	segment.copies = why_requests_copy();
	LARDER_G(sharing) = segment.copies == NULL;
	if (segment.path[0] != '\0') {
		php_loss_watch(true);
	}
}

void php_segment_begin_request(void)
{
	if (EXPECTED(LARDER_G(store) != NULL)) {
		return;
	}
	pthread_mutex_lock(&renewing);
	if (segment.opened != NULL) {
		join_opened();
	} else {
		use_store(NULL);
	}
	pthread_mutex_unlock(&renewing);
}

void php_segment_close(zend_larder_globals *globals)
{
	php_loss_thread_ends(globals);
	if (globals->store == NULL) {
		return;
	}
	if (globals->store == segment.opened) {
		segment.opened = NULL;
		php_loss_watch(false);
	}
	lrd_store_close(globals->store);
	globals->store = NULL;
	globals->segment = &no_segment;
}

bool php_segment_is_sharing(void)
{
	/* What preloading keeps in constants and static properties outlives every pin. Known only after its RINIT. */
	return LARDER_G(sharing) && (CG(compiler_options) & ZEND_COMPILE_PRELOAD) == 0;
}

bool php_segment_hold_first(void)
{
	LARDER_G(held) = php_segment_is_sharing() && php_loss_thread();
	/* Before it is asked whether the segment is alive: a handler in another thread does it the other way round. */
	atomic_thread_fence(memory_order_seq_cst);
	return LARDER_G(held);
}

/*
 * For tests: nothing of this request can be read from now on, and the next one starts with a segment nobody has seen.
 */
static void hide_segment(void)
{
	lrd_store_hide(LARDER_G(store));
	if (open_store(NULL, 0, segment.why) != LRD_OK) {
		php_error_docref(NULL, E_WARNING, "%s", segment.why);
	}
}

void php_segment_end_request(void)
{
	/* Some long-lived SAPIs come here with userland still running: then its values are alive. */
	if (LARDER_G(store) == NULL || EG(current_execute_data) != NULL) {
		return;
	}
	/* Session handlers and the like run after our RSHUTDOWN. */
	lrd_store_end_leases(LARDER_G(store));
	bool used = LARDER_G(pinned);
	LARDER_G(held) = false;
	LARDER_G(pinned) = false;
	LARDER_G(lost) = false;
	LARDER_G(readers) = 0;
	if (used) {
		lrd_store_unpin(LARDER_G(store));
	}
	if (UNEXPECTED(strcmp(LARDER_G(protect), "hide") == 0)) {
		hide_segment();
	}
}

void php_segment_forked(void)
{
	LARDER_G(held) = false;
	LARDER_G(pinned) = false;
	LARDER_G(readers) = 0;
}

void php_segment_has_children(void)
{
	segment.has_children = true;
}

const char *php_segment_failure(void)
{
	return segment.opened != NULL && segment.why[0] == '\0' ? "no memory for this thread's handle" : segment.why;
}

const char *php_segment_path(void)
{
	return segment.path;
}

bool php_segment_is_private(void)
{
	return segment.refused;
}

bool php_segment_is_alone(void)
{
	lrd_report report;

	lrd_store_report(LARDER_G(store), &report);
	return !report.named && !segment.has_children && report.segment->maker == (uint32_t) getpid()
		&& !sapi_answers_by_one_process();
}

zend_string *php_segment_reason(void)
{
	smart_str reason = {0};

	const char *refused = segment.refused || segment.refused_ns != 0 ? segment.why : "";
	smart_str_appends(&reason, refused);
	const char *copies = segment.copies == NULL && !php_segment_is_sharing() ? "preloading" : segment.copies;
	if (copies != NULL) {
		smart_str_appends(&reason, refused[0] != '\0' ? "; " : "");
		smart_str_appends(&reason, copies);
	}
	return smart_str_extract(&reason);
}
