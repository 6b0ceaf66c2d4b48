/*
 * Makes a directory slow: opening a file below $SLOW_DIRECTORY takes $SLOW_MICROSECONDS longer, as over a network or on
 * a disk that is busy. Loaded before libc's by LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int open(const char *path, int flags, ...)
{
    static int (*real)(const char *, int, ...);
    const char *directory = getenv("SLOW_DIRECTORY"), *delay = getenv("SLOW_MICROSECONDS");
    va_list rest;

    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    if (!real) {
        real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    }
    if (directory && delay && strncmp(path, directory, strlen(directory)) == 0) {
        usleep((useconds_t)atoi(delay));
    }
    return real(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
