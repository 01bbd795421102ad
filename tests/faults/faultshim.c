/* A library to be loaded before the C library: it counts the calls that change files below one folder, and lets
 * one of them go wrong.
 *
 * fault_arm(folder, mode, at): from now on count; the at'th call (from 1, 0: none) meets the fault `mode`:
 *   kill      the process dies before the call
 *   torn      a write puts half of its bytes down and the process dies; any other call is not made, and it dies
 *   short     a write puts half of its bytes down and says so; any other call goes through
 *   once:E    the call fails with errno E
 *   always:E  it and every later call fail with errno E
 * fault_count(): how many calls were counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum mode { NONE, KILL, TORN, SHORT, ONCE, ALWAYS };
enum verdict { GO, FAIL, HALF };

static char folder[4096];
static size_t folder_length;
static enum mode mode;
static int error_number, fault_at, counted;

void fault_arm(const char *where, const char *how, int at) {
    snprintf(folder, sizeof folder, "%s/", where);
    folder_length = strlen(folder);
    const char *number = strchr(how, ':');
    error_number = number ? atoi(number + 1) : 0;
    mode = !strcmp(how, "kill") ? KILL : !strcmp(how, "torn") ? TORN : !strcmp(how, "short") ? SHORT
         : !strncmp(how, "once", 4) ? ONCE : !strncmp(how, "always", 6) ? ALWAYS : NONE;
    fault_at = at;
    counted = 0;
}

int fault_count(void) { return counted; }

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static int path_of_descriptor(int fd, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return 1;
}

static int is_below(const char *path) {
    size_t length = strlen(path);
    return !strncmp(path, folder, folder_length) || (length + 1 == folder_length && !strncmp(path, folder, length));
}

static int concerns_fd(int fd) {
    char path[4096];
    return folder_length && fd > 2 && path_of_descriptor(fd, path, sizeof path) && is_below(path);
}

static int concerns_name(int fd, const char *name) {
    if (!folder_length || !name) return 0;
    if (name[0] == '/') return is_below(name);
    return fd != AT_FDCWD && concerns_fd(fd);
}

static enum verdict meet(int is_write) {
    counted++;
    if (!fault_at || counted < fault_at || (counted > fault_at && mode != ALWAYS)) return GO;
    switch (mode) {
    case KILL: die(); return GO;
    case TORN: if (!is_write) die(); return HALF;
    case SHORT: return is_write ? HALF : GO;
    case ONCE: case ALWAYS: errno = error_number; return FAIL;
    default: return GO;
    }
}


ssize_t write(int fd, const void *data, size_t size) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) next = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (!concerns_fd(fd)) return next(fd, data, size);
    switch (meet(1)) {
    case FAIL: return -1;
    case HALF: {
        ssize_t half = next(fd, data, size > 1 ? size / 2 : size);
        if (mode == TORN) die();
        return half;
    }
    default: return next(fd, data, size);
    }
}

#define ON_DESCRIPTOR(name, parameters, arguments)                                       \
    int name parameters {                                                                \
        static int (*next) parameters;                                                   \
        if (!next) next = (int (*) parameters)dlsym(RTLD_NEXT, #name);                    \
        if (concerns_fd(fd) && meet(0) == FAIL) return -1;                                \
        return next arguments;                                                           \
    }

ON_DESCRIPTOR(fsync, (int fd), (fd))
ON_DESCRIPTOR(fdatasync, (int fd), (fd))
ON_DESCRIPTOR(ftruncate, (int fd, off_t size), (fd, size))
ON_DESCRIPTOR(ftruncate64, (int fd, off64_t size), (fd, size))
ON_DESCRIPTOR(fchmod, (int fd, mode_t bits), (fd, bits))

#define ON_NAME(name, parameters, arguments, fd, path)                                    \
    int name parameters {                                                                \
        static int (*next) parameters;                                                   \
        if (!next) next = (int (*) parameters)dlsym(RTLD_NEXT, #name);                    \
        if (concerns_name(fd, path) && meet(0) == FAIL) return -1;                        \
        return next arguments;                                                           \
    }

ON_NAME(unlink, (const char *path), (path), AT_FDCWD, path)
ON_NAME(unlinkat, (int fd, const char *path, int flags), (fd, path, flags), fd, path)
ON_NAME(mkdir, (const char *path, mode_t bits), (path, bits), AT_FDCWD, path)
ON_NAME(mkdirat, (int fd, const char *path, mode_t bits), (fd, path, bits), fd, path)
ON_NAME(rename, (const char *from, const char *path), (from, path), AT_FDCWD, path)
ON_NAME(renameat, (int a, const char *from, int fd, const char *path), (a, from, fd, path), fd, path)
ON_NAME(renameat2, (int a, const char *from, int fd, const char *path, unsigned flags), (a, from, fd, path, flags), fd, path)
ON_NAME(link, (const char *from, const char *path), (from, path), AT_FDCWD, path)
ON_NAME(linkat, (int a, const char *from, int fd, const char *path, int flags), (a, from, fd, path, flags), fd, path)

#define OPENING(name)                                                                     \
    int name(int fd, const char *path, int flags, ...) {                                  \
        static int (*next)(int, const char *, int, ...);                                  \
        if (!next) next = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, #name);   \
        va_list rest;                                                                    \
        va_start(rest, flags);                                                           \
        mode_t bits = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;         \
        va_end(rest);                                                                    \
        int changes = flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC);                    \
        if (changes && concerns_name(fd, path) && meet(0) == FAIL) return -1;             \
        return next(fd, path, flags, bits);                                              \
    }

OPENING(openat)
OPENING(openat64)
