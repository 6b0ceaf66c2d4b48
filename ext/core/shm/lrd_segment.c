#define _GNU_SOURCE
#include "lrd_segment.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/lrd_clock.h"
#include "../base/lrd_fault.h"
#include "../base/lrd_limit.h"
#include "lrd_guard.h"

#define LOCK_WAIT_MS 5000u
#define REMEDY "remove it when no process uses it"

static const char magic[8] = "larder\n";

/* FNV-1a: against damage, not against malice. */
static uint64_t fold(uint64_t sum, const void *from, const void *to)
{
	for (const unsigned char *byte = from; byte < (const unsigned char *) to; byte++) {
		sum = (sum ^ *byte) * UINT64_C(0x100000001b3);
	}
	return sum;
}

static uint64_t sum_of(const lrd_segment_header *header)
{
	uint64_t sum = fold(UINT64_C(0xcbf29ce484222325), header, &header->ready);
	return fold(sum, &header->size, &header->sum);
}

static bool is_ready(const lrd_segment_header *header)
{
	return __atomic_load_n(&header->ready, __ATOMIC_ACQUIRE) != 0;
}

/* What is wrong with it, or NULL. */
static const char *damage(const lrd_segment_header *header, uint64_t file_size)
{
	if (file_size < LRD_SEGMENT_PAGE) {
		return "is too short to be a segment";
	}
	if (memcmp(header->magic, magic, sizeof magic) != 0) {
		return "is not a segment";
	}
	if (header->layout != LRD_SEGMENT_LAYOUT) {
		return "has the layout of another version";
	}
	if (header->sum != sum_of(header)) {
		return "is damaged: its header's checksum is wrong";
	}
	if (!is_ready(header)) {
		return "was left half made";
	}
	if (header->size < 2 * LRD_SEGMENT_PAGE || header->size % LRD_SEGMENT_PAGE != 0 || header->size > PTRDIFF_MAX) {
		return "is damaged: its size cannot be";
	}
	if (file_size != header->size) {
		return file_size < header->size ? "was truncated" : "is longer than it was made";
	}
	if (header->base == 0 || header->base % LRD_SEGMENT_PAGE != 0 || header->base > UINT64_MAX - header->size) {
		return "is damaged: its base cannot be";
	}
	return NULL;
}

lrd_status lrd_segment_check(const lrd_segment_header *header, uint64_t file_size,
	const uint8_t stamp[LRD_SEGMENT_STAMP], char why[LRD_SEGMENT_WHY])
{
	const char *wrong = damage(header, file_size);
	if (wrong != NULL) {
		snprintf(why, LRD_SEGMENT_WHY, "the file %s; " REMEDY, wrong);
		return LRD_BAD_SEGMENT;
	}
	if (memcmp(header->stamp, stamp, LRD_SEGMENT_STAMP) != 0) {
		snprintf(
			why, LRD_SEGMENT_WHY, "the file was made by another build; give each build a file of its own, or " REMEDY);
		return LRD_BAD_STAMP;
	}
	why[0] = '\0';
	return LRD_OK;
}

/* "path: sentence", with the front of a long path left out rather than the end of the sentence. */
static lrd_status refuse(lrd_status status, const char *path, const char *sentence, char why[LRD_SEGMENT_WHY])
{
	size_t used = strlen(sentence) + sizeof ": ";
	size_t room = used < LRD_SEGMENT_WHY ? LRD_SEGMENT_WHY - used : 0;
	size_t length = strlen(path);
	const char *shown = length > room ? path + (length - room) : path;
	int written = snprintf(why, LRD_SEGMENT_WHY, "%s: %s", shown, sentence);
	if (written < 0) {
		why[0] = '\0';
	}
	return status;
}

static lrd_status refuse_errno(const char *path, const char *what, char why[LRD_SEGMENT_WHY])
{
	int error = errno;
	char sentence[LRD_SEGMENT_WHY];
	snprintf(sentence, sizeof sentence, "%s: %.100s", what, strerror(error));
	refuse(LRD_SYSTEM, path, sentence, why);
	errno = error;
	return LRD_SYSTEM;
}

/* The lock by itself: a mapping keeps the open file, and with it the lock, alive behind close(). */
static void unlock_and_close(int file)
{
	int error = errno;
	flock(file, LOCK_UN);
	close(file);
	errno = error;
}

static bool is_for_others(const lrd_segment_options *options)
{
	return options->owner.given || options->group.given;
}

static uid_t owner_of(const lrd_segment_options *options)
{
	return options->owner.given ? options->owner.id : geteuid();
}

static bool may_make(const lrd_segment_options *options)
{
	return !options->attach_only && (geteuid() == owner_of(options) || geteuid() == 0);
}

/*
 * Gives the file to whom the options name, as far as this process may. Only one that nobody else could write to so far:
 * who has it open keeps it.
 */
static bool settle_rights(const lrd_segment_options *options, int file)
{
	struct stat status;
	if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0
		|| (status.st_uid != 0 && status.st_uid != owner_of(options))) {
		return false;
	}
	uid_t owner = geteuid() == 0 ? owner_of(options) : status.st_uid;
	gid_t group = options->group.given ? options->group.id : status.st_gid;
	return fchown(file, owner, group) == 0 && (!options->group.given || fchmod(file, 0660) == 0);
}

/* Two users have met on one name: who they are is what has to be known to mend it. */
static lrd_status refuse_foreign(const char *path, char why[LRD_SEGMENT_WHY])
{
	struct stat there;
	if (lstat(path, &there) != 0 || there.st_uid == geteuid()) {
		errno = EACCES;
		return refuse_errno(path, "cannot be opened; check the directory's rights", why);
	}
	char sentence[LRD_SEGMENT_WHY];
	snprintf(sentence, sizeof sentence,
		"the file belongs to user %lu and this process runs as %lu; give each user a name of its own, or name the owner "
		"or the group that all agree on", (unsigned long) there.st_uid, (unsigned long) geteuid());
	return refuse(LRD_BAD_OWNER, path, sentence, why);
}

/* What is in the file is believed only if nobody could write it but those that are to join. */
static lrd_status check_owner(const lrd_segment_options *options, int file, char why[LRD_SEGMENT_WHY])
{
	const char *path = options->path;
	struct stat status;
	if (fstat(file, &status) != 0) {
		return refuse_errno(path, "cannot be looked at", why);
	}
	if (!S_ISREG(status.st_mode)) {
		return refuse(LRD_BAD_OWNER, path, "the file is not a regular file; name another", why);
	}
	if (status.st_uid != owner_of(options) && (status.st_uid != 0 || !is_for_others(options))) {
		return refuse_foreign(path, why);
	}
	bool is_of_group = options->group.given && status.st_gid == options->group.id;
	if ((status.st_mode & S_IRWXO) != 0 || ((status.st_mode & S_IRWXG) != 0 && !is_of_group)) {
		return refuse(LRD_BAD_OWNER, path,
			"the file is open to other users; chmod it to 0600, name the group that all agree on, or " REMEDY, why);
	}
	if (options->group.given && (status.st_mode & S_IRWXG) == 0) {
		return refuse(LRD_BAD_OWNER, path,
			"the file cannot be opened to the group; start first what runs as root or as a member, or " REMEDY, why);
	}
	return LRD_OK;
}

/*
 * Puts an empty file at the path that has its owner and group from the first moment on, since who finds it without them
 * is refused. Of two that do so at once one wins: the other gets -1.
 */
static lrd_status place_file(const lrd_segment_options *options, int *placed, char why[LRD_SEGMENT_WHY])
{
	char draft[PATH_MAX];
	int length = snprintf(draft, sizeof draft, "%s.%ld", options->path, (long) getpid());
	if (length < 0 || (size_t) length >= sizeof draft) {
		errno = ENAMETOOLONG;
		return refuse_errno(options->path, "cannot be made; name a shorter one", why);
	}
	unlink(draft);
	int file = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
	if (file < 0) {
		return refuse_errno(options->path, "cannot be made; check the directory's rights", why);
	}
	(void) settle_rights(options, file);
	lrd_status status = LRD_OK;
	bool is_there = link(draft, options->path) == 0;
	if (!is_there && errno != EEXIST) {
		status = refuse_errno(options->path, "cannot be made; check the directory's rights", why);
	}
	int error = errno;
	unlink(draft);
	if (!is_there) {
		close(file);
	}
	*placed = is_there ? file : -1;
	errno = error;
	return status;
}

static bool wait_for_lock(int file, uint64_t deadline)
{
	while (flock(file, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK && errno != EINTR) {
			return false;
		}
		if (lrd_clock_monotonic_ns() >= deadline) {
			errno = ETIMEDOUT;
			return false;
		}
		nanosleep(&(struct timespec) { .tv_nsec = 1000000 }, NULL);
	}
	return true;
}

/* Whether the path still leads to the file that was locked: it may have been removed meanwhile. */
static bool is_still_at(int file, const char *path)
{
	struct stat here, there;
	return fstat(file, &here) == 0 && lstat(path, &there) == 0 && here.st_dev == there.st_dev
		&& here.st_ino == there.st_ino;
}

/*
 * An open file, or -1 when it came and went meanwhile. made: by this call, so that nobody can have mapped what lay
 * there before.
 */
static lrd_status open_file(const lrd_segment_options *options, int *file, bool *made, char why[LRD_SEGMENT_WHY])
{
	const char *path = options->path;
	const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;
	*file = open(path, flags);
	*made = false;
	if (*file < 0 && errno == ENOENT) {
		if (!may_make(options)) {
			return refuse(LRD_MISS, path, "there is no such file; start what makes it first", why);
		}
		*made = true;
		if (is_for_others(options)) {
			return place_file(options, file, why);
		}
		*file = open(path, flags | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
		if (*file < 0 && errno == EEXIST) {
			return LRD_OK;
		}
	}
	if (*file < 0 && errno == EACCES) {
		return refuse_foreign(path, why);
	}
	if (*file < 0 && errno == ELOOP) {
		return refuse(LRD_BAD_OWNER, path, "the file is a symbolic link; name the file itself", why);
	}
	return *file < 0 ? refuse_errno(path, "cannot be opened", why) : LRD_OK;
}

static lrd_status open_locked(const lrd_segment_options *options, int *file, bool *made, char why[LRD_SEGMENT_WHY])
{
	const char *path = options->path;
	const unsigned wait_ms = options->wait_ms != 0 ? options->wait_ms : LOCK_WAIT_MS;
	const uint64_t deadline = lrd_clock_monotonic_ns() + wait_ms * LRD_MS_NS;
	for (;;) {
		lrd_status status = open_file(options, file, made, why);
		if (status != LRD_OK) {
			return status;
		}
		if (*file >= 0) {
			if (is_for_others(options)) {
				(void) settle_rights(options, *file);
			}
			status = check_owner(options, *file, why);
			if (status == LRD_OK && !wait_for_lock(*file, deadline)) {
				status = refuse_errno(path, "cannot be locked; another process holds it", why);
			}
			if (status == LRD_OK && is_still_at(*file, path)) {
				return LRD_OK;
			}
		}
		if (status == LRD_OK && lrd_clock_monotonic_ns() >= deadline) {
			errno = ETIMEDOUT;
			status = refuse_errno(path, "cannot be locked; it is removed again and again", why);
		}
		if (*file >= 0) {
			unlock_and_close(*file);
		}
		if (status != LRD_OK) {
			return status;
		}
	}
}

/*
 * At the base when it is free there, else anywhere; MAP_FAILED only when nowhere. A kernel older than the flag takes it
 * as a hint.
 */
static void *map_at(uint64_t base, size_t size, int flags, int file)
{
	int protection = PROT_READ | PROT_WRITE;
	if (base != 0) {
		void *mapped = mmap((void *) (uintptr_t) base, size, protection, flags | MAP_FIXED_NOREPLACE, file, 0);
		if (mapped != MAP_FAILED) {
			return mapped;
		}
	}
	return mmap(NULL, size, protection, flags, file, 0);
}

static void fill_header(lrd_segment_header *header, const lrd_segment_options *options, uint64_t base, size_t size)
{
	memcpy(header->magic, magic, sizeof magic);
	header->layout = LRD_SEGMENT_LAYOUT;
	header->size = size;
	header->base = base;
	memcpy(header->stamp, options->stamp, sizeof header->stamp);
	header->made_ms = lrd_clock_real_ms();
	if (getrandom(&header->instance, sizeof header->instance, GRND_NONBLOCK) != (ssize_t) sizeof header->instance) {
		header->instance = lrd_clock_monotonic_ns() ^ ((uint64_t) getpid() << 40);
	}
	header->maker = (uint32_t) getpid();
	header->owner = (uint32_t) geteuid();
	memcpy(header->shape, options->shape, sizeof header->shape);
	header->sum = sum_of(header);
}

/* A file that is mapped, before anything of it is touched. */
static lrd_status guard(void *mapped, size_t size, const char *path, char why[LRD_SEGMENT_WHY])
{
	if (lrd_guard_add(mapped, size, mapped)) {
		return LRD_OK;
	}
	munmap(mapped, size);
	errno = EMFILE;
	return refuse_errno(path, "cannot be guarded; close another segment", why);
}

static lrd_status take_mapping(lrd_segment *segment, void *mapped, uint64_t base, size_t size)
{
	segment->header = mapped;
	segment->body = (char *) mapped + LRD_SEGMENT_PAGE;
	segment->body_size = size - LRD_SEGMENT_PAGE;
	segment->shift = (ptrdiff_t) ((uintptr_t) mapped - (uintptr_t) base);
	return segment->shift == 0 ? LRD_OK : LRD_MOVED;
}

/*
 * Beyond the limit of the process's control groups the kernel ends a process that touches the memory, here or long
 * after: it is asked for before anything is made. What others in the group use by then cannot be known.
 */
static lrd_status check_limit(const char *name, size_t size, char why[LRD_SEGMENT_WHY])
{
	const uint64_t limit = lrd_limit_memory();
	if (size < limit) {
		return LRD_OK;
	}
	char sentence[LRD_SEGMENT_WHY];
	snprintf(sentence, sizeof sentence,
		"%zu bytes are not less than the memory limit of its container or control group, %llu; ask for less, or raise it",
		size, (unsigned long long) limit);
	return refuse(LRD_SYSTEM, name, sentence, why);
}

static lrd_status make_anonymous(
	const lrd_segment_options *options, size_t size, lrd_segment *segment, char why[LRD_SEGMENT_WHY])
{
	if (check_limit("anonymous segment", size, why) != LRD_OK) {
		return LRD_SYSTEM;
	}
	void *mapped = map_at(options->base, size, MAP_SHARED | MAP_ANONYMOUS, -1);
	if (mapped == MAP_FAILED) {
		return refuse_errno("anonymous segment", "cannot be mapped; ask for less memory", why);
	}
	fill_header(mapped, options, (uintptr_t) mapped, size);
	segment->made = true;
	return take_mapping(segment, mapped, (uintptr_t) mapped, size);
}

/* Asked for before anything is written: beyond that limit the kernel ends the process by SIGXFSZ. */
static bool may_be_as_large(size_t size)
{
	struct rlimit limit;
	return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur;
}

/* The magic goes first and alone, so that a file whose maker died is told from somebody's file named by mistake. */
static lrd_status lay_out_file(int file, size_t size, const char *path, char why[LRD_SEGMENT_WHY])
{
	lrd_segment_header start = { .layout = LRD_SEGMENT_LAYOUT };
	memcpy(start.magic, magic, sizeof magic);
	if (!may_be_as_large(size)) {
		errno = EFBIG;
		return refuse_errno(
			path, "is larger than this process's limit (ulimit -f, LimitFSIZE=); raise it, or ask for less", why);
	}
	if (ftruncate(file, 0) != 0 || pwrite(file, &start, sizeof start, 0) != (ssize_t) sizeof start) {
		return refuse_errno(path, "cannot be written", why);
	}
	LRD_FAULT("segment_marked");
	int error;
	do {
		error = posix_fallocate(file, 0, (off_t) size);
	} while (error == EINTR);
	if (error != 0) {
		errno = error;
		return refuse_errno(path, "the file system has no room for it; ask for less, or name a file elsewhere", why);
	}
	return LRD_OK;
}

/* What it made is of no use to anybody: an empty file is as good as none. */
static void empty_file(int file)
{
	int error = errno;
	if (ftruncate(file, 0) != 0) {
		error = errno;
	}
	errno = error;
}

static lrd_status make_named(
	const lrd_segment_options *options, size_t size, int file, lrd_segment *segment, char why[LRD_SEGMENT_WHY])
{
	lrd_status status = check_limit(options->path, size, why);
	if (status == LRD_OK) {
		status = lay_out_file(file, size, options->path, why);
	}
	if (status != LRD_OK) {
		empty_file(file);
		return status;
	}
	void *mapped = map_at(options->base, size, MAP_SHARED, file);
	if (mapped == MAP_FAILED) {
		status = refuse_errno(options->path, "cannot be mapped; ask for less memory", why);
		empty_file(file);
		return status;
	}
	status = guard(mapped, size, options->path, why);
	if (status != LRD_OK) {
		empty_file(file);
		return status;
	}
	uint64_t base = options->base != 0 ? options->base : (uintptr_t) mapped;
	fill_header(mapped, options, base, size);
	segment->made = true;
	segment->lock = file;
	LRD_FAULT("segment_mapped");
	return take_mapping(segment, mapped, base, size);
}

static lrd_status attach(const lrd_segment_options *options, const lrd_segment_header *header, int file,
	lrd_segment *segment, char why[LRD_SEGMENT_WHY])
{
	uint64_t at = options->base != 0 ? header->base : 0;
	void *mapped = map_at(at, header->size, MAP_SHARED, file);
	if (mapped == MAP_FAILED) {
		return refuse_errno(options->path, "cannot be mapped; raise the limit of address space", why);
	}
	lrd_status status = guard(mapped, header->size, options->path, why);
	if (status != LRD_OK) {
		return status;
	}
	segment->alive = header->ready;
	return take_mapping(segment, mapped, header->base, header->size);
}

/* The file's start as far as there is one, and zeros behind. */
static bool read_header(int file, lrd_segment_header *header, uint64_t *file_size)
{
	struct stat status;
	memset(header, 0, sizeof *header);
	if (fstat(file, &status) != 0 || pread(file, header, sizeof *header, 0) < 0) {
		return false;
	}
	*file_size = (uint64_t) status.st_size;
	return true;
}

static bool is_unfinished(const lrd_segment_header *header, uint64_t file_size)
{
	return file_size == 0 || (memcmp(header->magic, magic, sizeof magic) == 0 && !is_ready(header));
}

/* One of this build that was made in full and has lost its end since. Of a short rest only the start can be known. */
static bool is_cut(const lrd_segment_options *options, const lrd_segment_header *header, uint64_t file_size)
{
	if (memcmp(header->magic, magic, sizeof magic) != 0 || header->layout != LRD_SEGMENT_LAYOUT) {
		return false;
	}
	return file_size < sizeof *header
		|| (file_size < header->size && header->sum == sum_of(header)
			&& memcmp(header->stamp, options->stamp, LRD_SEGMENT_STAMP) == 0);
}

/*
 * Takes the locked file away, for good: who still has it mapped finds it dead, before there is another one. They do not
 * share memory with what is made next, and so cannot take it for theirs.
 */
static lrd_status give_up(int file, const char *path, uint64_t file_size, char why[LRD_SEGMENT_WHY])
{
	const uint32_t dead = 0;
	const off_t at = offsetof(lrd_segment_header, ready);
	if (file_size >= (uint64_t) at + sizeof dead && pwrite(file, &dead, sizeof dead, at) != (ssize_t) sizeof dead) {
		return refuse_errno(path, "cannot be written", why);
	}
	LRD_FAULT("segment_dead");
	if (unlink(path) != 0) {
		return refuse_errno(path, "was cut or left half made, and cannot be removed; check the directory's rights", why);
	}
	return LRD_OK;
}

/* The file is locked. again: it is gone now, and the next look makes another. */
static lrd_status open_found(const lrd_segment_options *options, size_t size, int file, bool made, bool *again,
	lrd_segment *segment, char why[LRD_SEGMENT_WHY])
{
	const char *path = options->path;
	lrd_segment_header header;
	uint64_t file_size;
	if (!read_header(file, &header, &file_size)) {
		return refuse_errno(path, "cannot be read", why);
	}
	bool unfinished = is_unfinished(&header, file_size);
	if (may_make(options) && (unfinished || is_cut(options, &header, file_size))) {
		if (unfinished && made) {
			return make_named(options, size, file, segment, why);
		}
		*again = true;
		return give_up(file, path, file_size, why);
	}
	if (unfinished) {
		return refuse(LRD_MISS, path, "the file is not made yet; start what makes it first", why);
	}
	char sentence[LRD_SEGMENT_WHY];
	lrd_status status = lrd_segment_check(&header, file_size, options->stamp, sentence);
	return status == LRD_OK ? attach(options, &header, file, segment, why) : refuse(status, path, sentence, why);
}

static lrd_status open_named(
	const lrd_segment_options *options, size_t size, lrd_segment *segment, char why[LRD_SEGMENT_WHY])
{
	for (;;) {
		int file;
		bool made, again = false;
		lrd_status status = open_locked(options, &file, &made, why);
		if (status != LRD_OK) {
			return status;
		}
		status = open_found(options, size, file, made, &again, segment, why);
		if (segment->lock != file) {
			unlock_and_close(file);
		}
		if (status != LRD_OK || !again) {
			return status;
		}
	}
}

lrd_status lrd_segment_open(const lrd_segment_options *options, lrd_segment *segment, char why[LRD_SEGMENT_WHY])
{
	*segment = (lrd_segment) { .lock = -1, .named = options->path != NULL };
	why[0] = '\0';
	const char *name = segment->named ? options->path : "anonymous segment";
	bool makes = !segment->named || may_make(options);
	size_t most = (size_t) PTRDIFF_MAX - LRD_SEGMENT_PAGE;
	if (makes && (options->size <= LRD_SEGMENT_PAGE || options->size > most)) {
		errno = EINVAL;
		return refuse_errno(name, "no segment can have that size; ask for more than a page", why);
	}
	if (options->base % LRD_SEGMENT_PAGE != 0) {
		errno = EINVAL;
		return refuse_errno(name, "the base is not at the start of a page; give a multiple of 4096", why);
	}
	size_t size = (options->size + LRD_SEGMENT_PAGE - 1) / LRD_SEGMENT_PAGE * LRD_SEGMENT_PAGE;
	return segment->named ? open_named(options, size, segment, why) : make_anonymous(options, size, segment, why);
}

bool lrd_segment_ready(lrd_segment *segment)
{
	/* Another number in each, so that one that is written over by another is not taken for it. */
	segment->alive = (uint32_t) segment->header->instance | 1;
	__atomic_store_n(&segment->header->ready, segment->alive, __ATOMIC_RELEASE);
	if (segment->lock >= 0) {
		unlock_and_close(segment->lock);
		segment->lock = -1;
	}
	/* A header that was lost meanwhile is zero but for what was just written to it. */
	return memcmp(segment->header->magic, magic, sizeof magic) == 0;
}

void lrd_segment_close(lrd_segment *segment)
{
	if (segment->header != NULL) {
		lrd_guard_remove(segment->header);
		munmap(segment->header, segment->body_size + LRD_SEGMENT_PAGE);
	}
	if (segment->lock >= 0) {
		unlock_and_close(segment->lock);
	}
	*segment = (lrd_segment) { .lock = -1 };
}
