#include "php_pipeline.h"

#include "zend_exceptions.h"

#include "php_memcached_count.h"

zend_class_entry *php_pipeline_ce;
static zend_object_handlers handlers;

typedef struct php_pipeline {
	php_batch batch;            /* memcached NULL: the object was not made by pipeline() */
	php_batch sent;             /* by begin(); memcached NULL: nothing */
	zend_object std;
} php_pipeline;

static zend_object *create_object(zend_class_entry *ce)
{
	return php_object_make(ce, sizeof(php_pipeline), XtOffsetOf(php_pipeline, std), &handlers);
}

static void free_object(zend_object *object)
{
	php_pipeline *pipeline = PHP_OBJECT_FROM(php_pipeline, object);

	if (pipeline->batch.memcached != NULL) {
		/* Not closed with replies unread: the server could then lose what it was sent. */
		if (pipeline->sent.memcached != NULL) {
			php_batch_take(&pipeline->sent);
			php_batch_free(&pipeline->sent);
		}
		php_batch_free(&pipeline->batch);
		OBJ_RELEASE(&pipeline->batch.memcached->std);
	}
	zend_object_std_dtor(object);
}

void php_pipeline_init(void)
{
	php_object_init(php_pipeline_ce, &handlers, XtOffsetOf(php_pipeline, std), create_object, free_object);
}

/* Here and not with the other methods of Memcached, so that none of these needs to know of pipelines. */
ZEND_METHOD(Larder_Memcached, pipeline)
{
	ZEND_PARSE_PARAMETERS_NONE();

	php_memcached *memcached = php_memcached_of(ZEND_THIS);
	if (memcached == NULL) {
		RETURN_THROWS();
	}
	object_init_ex(return_value, php_pipeline_ce);
	GC_ADDREF(&memcached->std);
	php_batch_open(&PHP_OBJECT_FROM(php_pipeline, Z_OBJ_P(return_value))->batch, memcached, 0);
}

/* NULL, with an exception: some extensions make objects without a constructor. */
static php_batch *batch_of(const zval *object)
{
	php_batch *batch = &PHP_OBJECT_FROM(php_pipeline, Z_OBJ_P(object))->batch;

	if (batch->memcached == NULL) {
		zend_throw_error(NULL, "The Larder\\Pipeline object was not made by Larder\\Memcached::pipeline()");
		return NULL;
	}
	return batch;
}

/* Private: pipeline() makes one. */
ZEND_METHOD(Larder_Pipeline, __construct)
{
	(void) return_value;
	ZEND_PARSE_PARAMETERS_NONE();
}

/* One more call; what it needs is in `like`. */
static void queue(zval *return_value, zval *object, zend_string *name, zend_string *bytes, lrd_op like)
{
	php_batch *batch = batch_of(object);
	lrd_op *op = batch != NULL ? php_batch_add(batch, name, (lrd_kind) like.kind, 1) : NULL;

	if (op == NULL) {
		RETURN_THROWS();
	}
	like.key = op->key;
	like.route = op->route;
	like.is_base64 = op->is_base64;
	*op = like;
	if (bytes != NULL) {
		php_batch_bytes(batch, batch->count - 1, bytes);
	}
	RETURN_OBJ_COPY(Z_OBJ_P(object));
}

/* The calls that take a key alone. */
static void queue_key(INTERNAL_FUNCTION_PARAMETERS, lrd_op like)
{
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	queue(return_value, ZEND_THIS, name, NULL, like);
}

ZEND_METHOD(Larder_Pipeline, read)
{
	queue_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, (lrd_op) {.kind = LRD_OP_GET, .wants_version = true});
}

ZEND_METHOD(Larder_Pipeline, has)
{
	queue_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, (lrd_op) {.kind = LRD_OP_HAS});
}

ZEND_METHOD(Larder_Pipeline, version)
{
	queue_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, (lrd_op) {.kind = LRD_OP_VERSION});
}

ZEND_METHOD(Larder_Pipeline, delete)
{
	queue_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, (lrd_op) {.kind = LRD_OP_DELETE});
}

/* A key and a ttl. */
static void queue_ttl(INTERNAL_FUNCTION_PARAMETERS, lrd_op like)
{
	zend_string *name;
	php_ttl ttl;

	if (!php_arguments_of_touch(execute_data, &name, &ttl)) {
		RETURN_THROWS();
	}
	const php_batch *batch = batch_of(ZEND_THIS);
	if (batch == NULL || !php_memcached_ttl(ttl, 2, &like.ttl)
		|| (like.kind == LRD_OP_MARK_STALE && !php_memcached_is_ours(batch->memcached))) {
		RETURN_THROWS();
	}
	queue(return_value, ZEND_THIS, name, NULL, like);
}

ZEND_METHOD(Larder_Pipeline, getAndTouch)
{
	queue_ttl(INTERNAL_FUNCTION_PARAM_PASSTHRU, (lrd_op) {.kind = LRD_OP_GET_AND_TOUCH, .wants_version = true});
}

ZEND_METHOD(Larder_Pipeline, touch)
{
	queue_ttl(INTERNAL_FUNCTION_PARAM_PASSTHRU, (lrd_op) {.kind = LRD_OP_TOUCH});
}

ZEND_METHOD(Larder_Pipeline, markStale)
{
	queue_ttl(INTERNAL_FUNCTION_PARAM_PASSTHRU, (lrd_op) {.kind = LRD_OP_MARK_STALE});
}

static void queue_bytes(INTERNAL_FUNCTION_PARAMETERS, lrd_kind kind)
{
	zend_string *name, *bytes;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(name)
		Z_PARAM_STR(bytes)
	ZEND_PARSE_PARAMETERS_END();

	queue(return_value, ZEND_THIS, name, bytes, (lrd_op) {.kind = (uint8_t) kind, .flags = VALUE_FLAGS_FORM});
}

ZEND_METHOD(Larder_Pipeline, append)
{
	queue_bytes(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_APPEND);
}

ZEND_METHOD(Larder_Pipeline, prepend)
{
	queue_bytes(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_PREPEND);
}

/* Encoded apart: user code may add to this very pipeline meanwhile, or run it. */
static void queue_value(zval *return_value, zval *object, const php_write_arguments *given, lrd_op like)
{
	php_batch_single single;

	const php_batch *batch = batch_of(object);
	if (batch == NULL) {
		RETURN_THROWS();
	}
	zval memcached;
	ZVAL_OBJ(&memcached, &batch->memcached->std);
	lrd_op *op = php_batch_begin(&single, &memcached, given->name, (lrd_kind) like.kind);
	if (op == NULL) {
		RETURN_THROWS();
	}
	op->ttl = like.ttl;
	if (php_batch_encode(&single.batch, 0, given->value)) {
		like.flags = op->flags;
		queue(return_value, object, given->name, like.ttl >= 0 ? single.item.bytes : NULL, like);
	}
	php_batch_free(&single.batch);
}

ZEND_METHOD(Larder_Pipeline, set)
{
	php_write_arguments given;
	lrd_op like = {.kind = LRD_OP_SET};

	if (!php_arguments_of_set(execute_data, &given)) {
		RETURN_THROWS();
	}
	const php_batch *batch = batch_of(ZEND_THIS);
	if (batch == NULL || !php_memcached_ttl(given.ttl, 3, &like.ttl)
		|| (!given.no_token && !php_memcached_is_ours(batch->memcached))) {
		RETURN_THROWS();
	}
	if (!given.no_token) {
		like.kind = LRD_OP_SET_LEASED;
		like.token = (uint64_t) given.token;
	}
	queue_value(return_value, ZEND_THIS, &given, like);
}

static void queue_if(INTERNAL_FUNCTION_PARAMETERS, lrd_kind kind)
{
	php_write_arguments given;
	lrd_op like = {.kind = (uint8_t) kind};

	if (!php_arguments_of_write_if(execute_data, &given) || !php_memcached_ttl(given.ttl, 3, &like.ttl)) {
		RETURN_THROWS();
	}
	queue_value(return_value, ZEND_THIS, &given, like);
}

ZEND_METHOD(Larder_Pipeline, add)
{
	queue_if(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_ADD);
}

ZEND_METHOD(Larder_Pipeline, replace)
{
	queue_if(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_REPLACE);
}

ZEND_METHOD(Larder_Pipeline, cas)
{
	php_write_arguments given;
	lrd_op like = {.kind = LRD_OP_CAS};

	if (!php_arguments_of_cas(execute_data, &given) || !php_memcached_ttl(given.ttl, 4, &like.ttl)) {
		RETURN_THROWS();
	}
	like.token = (uint64_t) given.token;
	queue_value(return_value, ZEND_THIS, &given, like);
}

static void queue_count(INTERNAL_FUNCTION_PARAMETERS, bool down)
{
	zend_string *name;
	php_memcached_count count = {.given = PHP_COUNT_DEFAULTS};
	lrd_op like = {.kind = LRD_OP_ADD_NUMBER};

	ZEND_PARSE_PARAMETERS_START(1, 4)
		Z_PARAM_STR(name)
		PHP_COUNT_PARAMETERS(count.given)
	ZEND_PARSE_PARAMETERS_END();

	const php_batch *batch = batch_of(ZEND_THIS);
	if (batch == NULL || !php_memcached_count_check(&count, down)) {
		RETURN_THROWS();
	}
	php_memcached_count_write(&count, batch->memcached, &like);
	queue(return_value, ZEND_THIS, name, NULL, like);
}

ZEND_METHOD(Larder_Pipeline, increment)
{
	queue_count(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(Larder_Pipeline, decrement)
{
	queue_count(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

static void queue_lease(INTERNAL_FUNCTION_PARAMETERS, lrd_kind kind)
{
	zend_string *name;
	double life;
	lrd_op like = {.kind = (uint8_t) kind, .wants_version = true};

	if (!php_arguments_of_lease(execute_data, &name, &life)) {
		RETURN_THROWS();
	}
	const php_batch *batch = batch_of(ZEND_THIS);
	if (batch == NULL || !php_memcached_life(life, 2, &like.seconds) || !php_memcached_is_ours(batch->memcached)) {
		RETURN_THROWS();
	}
	queue(return_value, ZEND_THIS, name, NULL, like);
}

ZEND_METHOD(Larder_Pipeline, getOrLease)
{
	queue_lease(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_GET_OR_LEASE);
}

ZEND_METHOD(Larder_Pipeline, lease)
{
	queue_lease(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_LEASE);
}

ZEND_METHOD(Larder_Pipeline, release)
{
	zend_string *name;
	zend_long lease;

	if (!php_arguments_of_release(execute_data, &name, &lease)) {
		RETURN_THROWS();
	}
	const php_batch *batch = batch_of(ZEND_THIS);
	if (batch == NULL || !php_memcached_is_ours(batch->memcached)) {
		RETURN_THROWS();
	}
	queue(return_value, ZEND_THIS, name, NULL, (lrd_op) {.kind = LRD_OP_RELEASE, .token = (uint64_t) lease});
}

ZEND_METHOD(Larder_Pipeline, count)
{
	ZEND_PARSE_PARAMETERS_NONE();

	const php_batch *batch = batch_of(ZEND_THIS);
	if (batch == NULL) {
		RETURN_THROWS();
	}
	RETURN_LONG(batch->count);
}

/* What each call gives, and closes it. */
static void list_results(php_batch *batch, zval *return_value)
{
	bool is_given = true;
	HashTable *results = zend_new_array(batch->count);

	for (uint32_t i = 0; i < batch->count && is_given; i++) {
		zval result;
		is_given = php_batch_result(batch, i, &result);
		if (is_given) {
			zend_hash_next_index_insert_new(results, &result);
		}
	}
	php_batch_close(batch);
	if (!is_given) {
		zend_array_release(results);
		RETURN_THROWS();
	}
	RETURN_ARR(results);
}

ZEND_METHOD(Larder_Pipeline, run)
{
	ZEND_PARSE_PARAMETERS_NONE();

	php_batch *queued = batch_of(ZEND_THIS);
	if (queued == NULL) {
		RETURN_THROWS();
	}
	/* Taken out: user code that decoding runs finds an empty pipeline. */
	php_batch batch = *queued;
	php_batch_open(queued, batch.memcached, 0);
	php_batch_run(&batch);
	list_results(&batch, return_value);
}

ZEND_METHOD(Larder_Pipeline, begin)
{
	ZEND_PARSE_PARAMETERS_NONE();

	php_batch *queued = batch_of(ZEND_THIS);
	if (queued == NULL) {
		RETURN_THROWS();
	}
	php_batch *sent = &PHP_OBJECT_FROM(php_pipeline, Z_OBJ_P(ZEND_THIS))->sent;
	if (sent->memcached != NULL) {
		zend_throw_error(NULL, "Larder\\Pipeline::begin() was called before, and finish() was not yet");
		RETURN_THROWS();
	}
	*sent = *queued;
	php_batch_open(queued, sent->memcached, 0);
	php_batch_send(sent);
	RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Larder_Pipeline, finish)
{
	ZEND_PARSE_PARAMETERS_NONE();

	if (batch_of(ZEND_THIS) == NULL) {
		RETURN_THROWS();
	}
	php_batch *sent = &PHP_OBJECT_FROM(php_pipeline, Z_OBJ_P(ZEND_THIS))->sent;
	if (sent->memcached == NULL) {
		zend_throw_error(NULL, "Larder\\Pipeline::finish() has nothing to take: begin() was not called");
		RETURN_THROWS();
	}
	php_batch_take(sent);
	/* Taken out: user code that decoding runs may begin anew. */
	php_batch batch = *sent;
	sent->memcached = NULL;
	list_results(&batch, return_value);
}
