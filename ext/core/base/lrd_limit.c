#define _GNU_SOURCE
#include "lrd_limit.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number alone in its file; "max" and all else is no limit. */
static uint64_t read_limit(const char *path)
{
	char text[32] = "";
	FILE *file = fopen(path, "re");
	if (file == NULL) {
		return UINT64_MAX;
	}
	char *end = fgets(text, sizeof text, file) != NULL ? text : NULL;
	fclose(file);
	if (end == NULL || text[0] < '0' || text[0] > '9') {
		return UINT64_MAX;
	}
	errno = 0;
	unsigned long long limit = strtoull(text, &end, 10);
	return errno == 0 && (*end == '\n' || *end == '\0') ? limit : UINT64_MAX;
}

/* The least of the group and of all above it, up to the folder `root`. Group: "/" or "/a/b". */
static uint64_t least_above(const char *root, const char *group, const char *name)
{
	char path[PATH_MAX];
	uint64_t least = UINT64_MAX;
	for (size_t length = strlen(group);;) {
		int written = snprintf(path, sizeof path, "%s%.*s/%s", root, (int) length, group, name);
		uint64_t limit = written > 0 && (size_t) written < sizeof path ? read_limit(path) : UINT64_MAX;
		least = limit < least ? limit : least;
		if (length == 0) {
			return least;
		}
		while (length > 0 && group[--length] != '/') {
		}
	}
}

/* Whether a list with commas has this word. */
static bool has_word(const char *list, size_t size, const char *word)
{
	const size_t length = strlen(word);
	for (const char *at = list, *end = list + size; at < end;) {
		const char *comma = memchr(at, ',', (size_t) (end - at));
		size_t part = (size_t) ((comma != NULL ? comma : end) - at);
		if (part == length && memcmp(at, word, part) == 0) {
			return true;
		}
		at += part + 1;
	}
	return false;
}

/* A line is "number:controllers:group"; that of version 2 has number 0 and no controllers. */
static uint64_t limit_of_line(const char *line, const char *root)
{
	const char *list = strchr(line, ':'), *group = list != NULL ? strchr(list + 1, ':') : NULL;
	char folder[PATH_MAX];
	if (group == NULL || group[1] != '/') {
		return UINT64_MAX;
	}
	list++;
	if (list == group) {
		return least_above(root, group + 1, "memory.max");
	}
	if (!has_word(list, (size_t) (group - list), "memory")
		|| (size_t) snprintf(folder, sizeof folder, "%s/memory", root) >= sizeof folder) {
		return UINT64_MAX;
	}
	return least_above(folder, group + 1, "memory.limit_in_bytes");
}

uint64_t lrd_limit_memory_in(const char *groups, const char *root)
{
	char line[PATH_MAX + 256];
	uint64_t least = UINT64_MAX;
	FILE *file = fopen(groups, "re");
	if (file == NULL) {
		return least;
	}
	while (fgets(line, sizeof line, file) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		uint64_t limit = limit_of_line(line, root);
		least = limit < least ? limit : least;
	}
	fclose(file);
	return least;
}

uint64_t lrd_limit_memory(void)
{
	const char *groups = "/proc/self/cgroup", *root = "/sys/fs/cgroup";
#ifdef LRD_FAULTS
	const char *mock = getenv("LARDER_CGROUPS");
	if (mock != NULL) {
		static char mocked[PATH_MAX];
		snprintf(mocked, sizeof mocked, "%s/groups", mock);
		return lrd_limit_memory_in(mocked, mock);
	}
#endif
	return lrd_limit_memory_in(groups, root);
}
