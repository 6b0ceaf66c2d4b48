#define _POSIX_C_SOURCE 200809L
#include "memcached_session.h"

#include <time.h>

#include "ext/session/php_session.h"

#include "memcached_address.h"
#include "memcached_batch.h"

/* ---- settings ---- */

ZEND_INI_MH(memcached_session_on_deprecated)
{
	if (ZSTR_LEN(new_value) > 0 && !zend_string_equals_literal(new_value, "not set")) {
		php_error_docref(NULL, E_DEPRECATED,
			"memcached.sess_lock_wait and memcached.sess_lock_max_wait are deprecated. Please update your "
			"configuration to use memcached.sess_lock_wait_min, memcached.sess_lock_wait_max and "
			"memcached.sess_lock_retries");
	}
	return FAILURE;
}

ZEND_INI_MH(memcached_session_on_prefix)
{
	if (ZSTR_LEN(new_value) > LRD_WIRE_KEY_MAX) {
		php_error_docref(NULL, E_WARNING, "memcached.sess_prefix too long (max: %u)", LRD_WIRE_KEY_MAX);
		return FAILURE;
	}
	for (size_t i = 0; i < ZSTR_LEN(new_value); i++) {
		unsigned char byte = (unsigned char) ZSTR_VAL(new_value)[i];
		if (byte <= 0x20 || byte >= 0x7f) {
			php_error_docref(
				NULL, E_WARNING, "memcached.sess_prefix cannot contain whitespace or control characters");
			return FAILURE;
		}
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(memcached_session_on_hash)
{
	if (!zend_string_equals_literal(new_value, "ketama") && !zend_string_equals_literal(new_value, "ketama_weighted")) {
		php_error_docref(NULL, E_WARNING, "memcached.sess_consistent_hash_type must be ketama or ketama_weighted");
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* ---- a session ---- */

/* What lies in mod_data between open and close. The object is no PHP object: its client and codes are used. */
typedef struct session {
	memcached_object object;
	zend_string *lock;          /* the key of the lock that is held; NULL: none */
} session;

static const char unallocated[] = "Session is not allocated, check session.save_path value";

/* Only what differs: a change closes the connections. */
static void configure(memcached_client *client, uint32_t option, uint64_t value)
{
	if (client->options[option] != value) {
		memcached_client_set(client, option, value);
	}
}

static bool configure_all(memcached_client *client)
{
	if (MEMCACHED_G(sess_binary_protocol)) {
		configure(client, MEMCACHED_BINARY_PROTOCOL, 1);
		configure(client, MEMCACHED_TCP_NODELAY, 1);
	}
	if (MEMCACHED_G(sess_consistent_hash)) {
		bool is_weighted = strcmp(MEMCACHED_G(sess_consistent_hash_type), "ketama_weighted") == 0;
		configure(client, is_weighted ? MEMCACHED_KETAMA_WEIGHTED : MEMCACHED_KETAMA, 1);
	}
	if (MEMCACHED_G(sess_server_failure_limit) != 0) {
		configure(client, MEMCACHED_SERVER_FAILURE_LIMIT, (uint64_t) MEMCACHED_G(sess_server_failure_limit));
	}
	if (MEMCACHED_G(sess_number_of_replicas) != 0) {
		configure(client, MEMCACHED_NUMBER_OF_REPLICAS, (uint64_t) MEMCACHED_G(sess_number_of_replicas));
	}
	if (MEMCACHED_G(sess_randomize_replica_read)) {
		configure(client, MEMCACHED_RANDOMIZE_REPLICA_READ, 1);
	}
	if (MEMCACHED_G(sess_remove_failed_servers)) {
		configure(client, MEMCACHED_REMOVE_FAILED_SERVERS, 1);
	}
	if (MEMCACHED_G(sess_connect_timeout) != 0) {
		configure(client, MEMCACHED_CONNECT_TIMEOUT, (uint64_t) MEMCACHED_G(sess_connect_timeout));
	}
	/* One that was kept may be of another site's settings. */
	memcached_client_set_tls_as_told(client);
	if (MEMCACHED_G(sess_prefix)[0] != '\0') {
		memcached_client_set_prefix(client, MEMCACHED_G(sess_prefix), strlen(MEMCACHED_G(sess_prefix)));
	}
	if (MEMCACHED_G(sess_sasl_username)[0] != '\0' && MEMCACHED_G(sess_sasl_password)[0] != '\0') {
		php_error_docref(NULL, E_WARNING, "failed to set memcached session sasl credentials: SASL is not supported");
		return false;
	}
	return true;
}

/* One client for each save path, apart from those of the class. */
static zend_string *persistent_id(const char *save_path)
{
	return strpprintf(0, "%c%s", '\0', save_path);
}

static memcached_client *make_client(const char *save_path)
{
	memcached_client *client = memcached_client_make(MEMCACHED_G(sess_persistent));

	if (!memcached_address_servers(client, save_path)) {
		php_error_docref(NULL, E_WARNING, "failed to parse session.save_path");
		memcached_client_free(client);
		return NULL;
	}
	memcached_client_set(client, MEMCACHED_VERIFY_KEY, 1);
	return client;
}

static memcached_client *open_client(const char *save_path)
{
	zend_string *id = persistent_id(save_path);
	memcached_client *client = MEMCACHED_G(sess_persistent) ? memcached_client_find(id) : NULL;
	bool is_known = client != NULL;

	if (!is_known) {
		client = make_client(save_path);
	}
	if (client != NULL && !configure_all(client)) {
		if (!is_known) {
			memcached_client_free(client);
		}
		client = NULL;
	}
	if (client != NULL && !is_known && client->is_persistent) {
		memcached_client_keep(client, id);
	}
	zend_string_release(id);
	return client;
}

/* ---- requests ---- */

static int64_t expiration_of(zend_long seconds)
{
	const zend_long longest_relative = 30 * 86400;      /* servers take more for a date */

	return seconds <= 0 ? 0 : seconds <= longest_relative ? seconds : seconds + (int64_t) time(NULL);
}

static int64_t lock_expiration(void)
{
	zend_long seconds = MEMCACHED_G(sess_lock_expire);

	return expiration_of(seconds > 0 ? seconds : zend_ini_long(ZEND_STRL("max_execution_time"), 0));
}

/* One op. `found`: the value, owned; NULL: nobody wants it. */
static int run(session *session, lrd_kind kind, zend_string *key, zend_string *bytes, int64_t ttl, zend_string **found)
{
	memcached_batch batch;

	if (!memcached_key_is_good(session->object.client, key)) {
		return MEMCACHED_BAD_KEY_PROVIDED;
	}
	memcached_batch_open(&batch, &session->object, NULL, 1);
	memcached_batch_add(&batch, key, kind)->ttl = ttl;
	if (bytes != NULL) {
		memcached_batch_bytes(&batch, 0, bytes, 0);
	}
	memcached_batch_run(&batch);
	int code = memcached_batch_end(&batch, 0);
	if (found != NULL && code == MEMCACHED_SUCCESS) {
		*found = batch.items[0].found != NULL ? batch.items[0].found : ZSTR_EMPTY_ALLOC();
		batch.items[0].found = NULL;
	}
	memcached_batch_close(&batch);
	return code;
}

static void sleep_ms(zend_long ms)
{
	struct timespec time = {.tv_sec = (time_t) (ms / 1000), .tv_nsec = (long) (ms % 1000) * 1000000};

	nanosleep(&time, NULL);
}

/* Holds the lock, or not after all tries. */
static bool lock(session *session, const zend_string *key)
{
	zend_string *name = zend_string_concat2("lock.", 5, ZSTR_VAL(key), ZSTR_LEN(key));
	zend_string *one = ZSTR_CHAR('1');
	zend_long wait = MEMCACHED_G(sess_lock_wait_min), retries = MEMCACHED_G(sess_lock_retries);
	int64_t ttl = lock_expiration();

	do {
		int code = run(session, LRD_OP_ADD, name, one, ttl, NULL);
		if (code == MEMCACHED_SUCCESS) {
			session->lock = name;
			return true;
		}
		if (code != MEMCACHED_NOTSTORED && code != MEMCACHED_DATA_EXISTS) {
			php_error_docref(NULL, E_WARNING, "Failed to write session lock: %s", memcached_code_text(code));
		} else if (retries > 0) {
			sleep_ms(wait);
			wait = MIN(MEMCACHED_G(sess_lock_wait_max), wait * 2);
		}
	} while (retries-- > 0);
	zend_string_release(name);
	return false;
}

static void unlock(session *session)
{
	if (session->lock != NULL) {
		run(session, LRD_OP_DELETE, session->lock, NULL, 0, NULL);
		zend_string_release(session->lock);
		session->lock = NULL;
	}
}

/* NULL, with a warning, when open has failed. */
static session *session_of(void *data)
{
	if (data == NULL) {
		php_error_docref(NULL, E_WARNING, "%s", unallocated);
	}
	return data;
}

/* ---- what ext/session calls ---- */

PS_OPEN_FUNC(memcached)
{
	memcached_client *client;

	(void) session_name;
	PS_SET_MOD_DATA(NULL);
	if (strstr(save_path, "PERSISTENT=") != NULL) {
		php_error_docref(NULL, E_WARNING,
			"failed to parse session.save_path: PERSISTENT is replaced by memcached.sess_persistent = On");
		return FAILURE;
	}
	client = open_client(save_path);
	if (client == NULL) {
		return FAILURE;
	}
	session *session = ecalloc(1, sizeof(*session));
	session->object.client = client;
	PS_SET_MOD_DATA(session);
	return SUCCESS;
}

PS_CLOSE_FUNC(memcached)
{
	session *session = session_of(PS_GET_MOD_DATA());

	if (session == NULL) {
		return FAILURE;
	}
	unlock(session);
	if (!session->object.client->is_persistent) {
		memcached_client_free(session->object.client);
	}
	efree(session);
	PS_SET_MOD_DATA(NULL);
	return SUCCESS;
}

PS_READ_FUNC(memcached)
{
	session *session = session_of(PS_GET_MOD_DATA());

	(void) maxlifetime;
	if (session == NULL) {
		return FAILURE;
	}
	if (MEMCACHED_G(sess_locking) && !lock(session, key)) {
		php_error_docref(NULL, E_WARNING, "Unable to clear session lock record");
		return FAILURE;
	}
	int code = run(session, LRD_OP_GET, key, NULL, 0, val);
	if (code == MEMCACHED_NOTFOUND) {
		*val = ZSTR_EMPTY_ALLOC();
	} else if (code != MEMCACHED_SUCCESS) {
		php_error_docref(NULL, E_WARNING, "error getting session from memcached: %s", memcached_code_text(code));
		return FAILURE;
	}
	return SUCCESS;
}

PS_WRITE_FUNC(memcached)
{
	session *session = session_of(PS_GET_MOD_DATA());

	if (session == NULL) {
		return FAILURE;
	}
	int code = run(session, LRD_OP_SET, key, val, expiration_of(maxlifetime), NULL);
	if (code != MEMCACHED_SUCCESS) {
		php_error_docref(NULL, E_WARNING, "error saving session to memcached: %s", memcached_code_text(code));
		return FAILURE;
	}
	return SUCCESS;
}

PS_DESTROY_FUNC(memcached)
{
	session *session = session_of(PS_GET_MOD_DATA());

	if (session == NULL) {
		return FAILURE;
	}
	run(session, LRD_OP_DELETE, key, NULL, 0, NULL);
	unlock(session);
	return SUCCESS;
}

/* Servers drop what has ended by themselves. */
PS_GC_FUNC(memcached)
{
	(void) mod_data;
	(void) maxlifetime;
	*nrdels = 0;
	return 0;
}

/* An id that nobody has: it is taken by an empty session. */
PS_CREATE_SID_FUNC(memcached)
{
	enum { TRIES = 3 };
	session *session = PS_GET_MOD_DATA();
	zend_string *id;

	if (session == NULL) {
		return php_session_create_id(NULL);
	}
	for (int i = 0; i < TRIES; i++) {
		id = php_session_create_id(mod_data);
		if (id == NULL || run(session, LRD_OP_ADD, id, ZSTR_EMPTY_ALLOC(), lock_expiration(), NULL)
				== MEMCACHED_SUCCESS) {
			return id;
		}
		zend_string_release(id);
	}
	return NULL;
}

PS_VALIDATE_SID_FUNC(memcached)
{
	session *session = PS_GET_MOD_DATA();

	return session != NULL && run(session, LRD_OP_HAS, key, NULL, 0, NULL) == MEMCACHED_SUCCESS ? SUCCESS : FAILURE;
}

/* What has gone meanwhile is written anew. */
PS_UPDATE_TIMESTAMP_FUNC(memcached)
{
	session *session = session_of(PS_GET_MOD_DATA());
	int64_t ttl = expiration_of(maxlifetime);

	if (session == NULL) {
		return FAILURE;
	}
	if (run(session, LRD_OP_TOUCH, key, NULL, ttl, NULL) == MEMCACHED_NOTFOUND) {
		run(session, LRD_OP_SET, key, val, ttl, NULL);
	}
	return SUCCESS;
}

void memcached_session_init(void)
{
	static const ps_module handler = {PS_MOD_UPDATE_TIMESTAMP(memcached)};

	php_session_register_module(&handler);
}
