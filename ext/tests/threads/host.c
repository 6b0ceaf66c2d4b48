/*
 * Runs one PHP script by many threads of one process, request after request, by the embed SAPI of a PHP with thread
 * safety; without it, by one thread. For tools/zts.
 *
 *   host INI SAPI THREADS SECONDS LIFE SCRIPT [ARGUMENT...]
 *
 * INI is a php.ini, SAPI the name that PHP gives itself. Each request runs SCRIPT THREAD ROUND ARGUMENT... Every LIFE
 * requests a thread ends and another one goes on in its place. Once the seconds are over, the main thread runs SCRIPT
 * once more with -1 for THREAD and the sums so far, NAME=SUM, behind the arguments.
 *
 * What the script prints are lines "NAME NUMBER": they are summed up by name over all requests, and the sums printed at
 * the end, with cpu_us, what running the script took of the processors. Any other line goes to the standard error and
 * counts as the sum "noise".
 */
#define _GNU_SOURCE
#include <sapi/embed/php_embed.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SUMS = 64, NAME = 32, THREADS = 64 };

static struct {
	char name[NAME];
	long long sum;
} sums[SUMS];
static size_t sum_count;
static pthread_mutex_t summing = PTHREAD_MUTEX_INITIALIZER;

static const char *script;
static char **arguments;
static int argument_count, life;
static double until;

#ifdef __SANITIZE_ADDRESS__
/* In front of the sanitizer's, which refuses the way in which PHP opens its modules. */
void *dlopen(const char *name, int flags)
{
	void *(*next)(const char *, int) = (void *(*)(const char *, int)) dlsym(RTLD_NEXT, "dlopen");
	return next(name, flags & ~RTLD_DEEPBIND);
}
#endif

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

/* Of this thread. */
static long long cpu_us(void)
{
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

/* ---- sums ---- */

static void add_locked(const char *name, long long number)
{
	size_t at = 0;
	while (at < sum_count && strcmp(sums[at].name, name) != 0) {
		at++;
	}
	if (at == SUMS) {
		fprintf(stderr, "host: too many names\n");
		abort();
	}
	if (at == sum_count) {
		snprintf(sums[at].name, NAME, "%s", name);
		sum_count++;
	}
	sums[at].sum += number;
}

static void add(const char *name, long long number)
{
	pthread_mutex_lock(&summing);
	add_locked(name, number);
	pthread_mutex_unlock(&summing);
}

static void read_line(const char *line)
{
	char name[NAME], rest;
	long long number;
	if (sscanf(line, "%31[a-z_] %lld%c", name, &number, &rest) == 2) {
		add(name, number);
	} else if (line[0] != '\0') {
		fprintf(stderr, "%s\n", line);
		add("noise", 1);
	}
}

/* PHP hands on each echo by itself, and each of ours is a whole line. */
static size_t write_lines(const char *text, size_t size)
{
	char *copy = strndup(text, size), *rest = copy;
	for (const char *line; (line = strsep(&rest, "\n")) != NULL;) {
		read_line(line);
	}
	free(copy);
	return size;
}

static void flush_nothing(void *context)
{
	(void) context;
}

/* ---- requests ---- */

static void run_request(int thread, int round, int count, char **more)
{
	char numbers[2][16];
	char *words[THREADS + SUMS] = {(char *) script, numbers[0], numbers[1]};
	int total = 3;
	snprintf(numbers[0], sizeof numbers[0], "%d", thread);
	snprintf(numbers[1], sizeof numbers[1], "%d", round);
	for (int i = 0; i < argument_count; i++) {
		words[total++] = arguments[i];
	}
	for (int i = 0; i < count; i++) {
		words[total++] = more[i];
	}
	SG(request_info).argc = total;
	SG(request_info).argv = words;
	if (php_request_startup() == FAILURE) {
		add("refused_requests", 1);
		return;
	}
	SG(headers_sent) = 1;
	SG(request_info).no_headers = 1;

	zend_file_handle file;
	zend_stream_init_filename(&file, script);
	file.primary_script = 1;
	long long before = cpu_us();
	zend_first_try {
		php_execute_script(&file);
	} zend_end_try();
	add("cpu_us", cpu_us() - before);
	zend_destroy_file_handle(&file);
	php_request_shutdown(NULL);
	SG(request_info).argc = 0;
	SG(request_info).argv = NULL;
	add("requests", 1);
}

#ifdef ZTS
typedef struct worker {
	int number, round;
	pthread_t id;
} worker;

static void *live(void *with)
{
	worker *self = with;
	(void) ts_resource(0);
	for (int left = life; left > 0 && now() < until; left--) {
		run_request(self->number, self->round++, 0, NULL);
	}
	add("threads", 1);
	/* Now and then one ends without a word: what it had is freed at the end of the process. */
	if (self->number % 8 != 7 || now() < until) {
		ts_free_thread();
	}
	return NULL;
}

static void *keep_alive(void *with)
{
	worker *self = with;
	while (now() < until) {
		pthread_t id;
		if (pthread_create(&id, NULL, live, self) != 0) {
			add("refused_threads", 1);
			break;
		}
		pthread_join(id, NULL);
	}
	return NULL;
}

static void run_threads(int count)
{
	static worker workers[THREADS];
	for (int i = 0; i < count; i++) {
		workers[i].number = i;
		if (pthread_create(&workers[i].id, NULL, keep_alive, &workers[i]) != 0) {
			abort();
		}
	}
	for (int i = 0; i < count; i++) {
		pthread_join(workers[i].id, NULL);
	}
}
#else
static void run_threads(int count)
{
	for (int round = 0; count == 1 && now() < until; round++) {
		run_request(0, round, 0, NULL);
	}
}
#endif

static void run_last(void)
{
	char texts[SUMS][NAME + 32], *words[SUMS];
	size_t count = sum_count;
	for (size_t i = 0; i < count; i++) {
		snprintf(texts[i], sizeof texts[i], "%s=%lld", sums[i].name, sums[i].sum);
		words[i] = texts[i];
	}
	run_request(-1, 0, (int) count, words);
}

int main(int count, char **words)
{
	if (count < 7 || count - 7 > THREADS - 3 || atoi(words[3]) < 1 || atoi(words[3]) > THREADS
		|| access(words[6], R_OK) != 0) {
		fprintf(stderr, "usage: host INI SAPI THREADS SECONDS LIFE SCRIPT [ARGUMENT...]\n");
		return 2;
	}
	php_embed_module.php_ini_path_override = words[1];
	php_embed_module.name = words[2];
	php_embed_module.ub_write = write_lines;
	php_embed_module.flush = flush_nothing;
	life = atoi(words[5]);
	/* Threads have working directories of their own. */
	script = realpath(words[6], NULL);
	arguments = words + 7;
	argument_count = count - 7;
	if (php_embed_init(0, NULL) == FAILURE) {
		return 1;
	}
	php_request_shutdown(NULL);
	until = now() + atof(words[4]);
	run_threads(atoi(words[3]));
	run_last();
	/* It ends a request of its own. */
	if (php_request_startup() == FAILURE) {
		return 1;
	}
	php_embed_shutdown();
	for (size_t i = 0; i < sum_count; i++) {
		printf("%s %lld\n", sums[i].name, sums[i].sum);
	}
	return 0;
}
