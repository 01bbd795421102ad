/* A library to be loaded before the C library: it counts the calls that change files below one folder, lets one of them
 * go wrong, and writes down what they did.
 *
 * fault_arm(folder, mode, at): from now on count; the at'th call (from 1, 0: none) meets the fault `mode`:
 *   kill      the process dies before the call
 *   torn      a write puts half of its bytes down and the process dies; any other call is not made, and it dies
 *   short     a write puts half of its bytes down and says so; any other call goes through
 *   once:E    the call fails with errno E
 *   always:E  it and every later call fail with errno E
 * fault_count(): how many calls were counted.
 *
 * fault_record(folder, file): from now on add to `file` what was done to files below the folder, and what was said on
 * standard output, in order and only when it succeeded. One operation: a line `what number size more length`, then the
 * `length` bytes of a path and `more` bytes beside it (what was written or said, or a second path). The number is an
 * offset or a length, or for `create` and `mkdir` the number of the new file. */
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
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum mode { NONE, KILL, TORN, SHORT, ONCE, ALWAYS };
enum verdict { GO, FAIL, HALF };

static char folder[4096];
static size_t folder_length;
static enum mode mode;
static int error_number, fault_at, counted;
static char watched[4096];
static size_t watched_length;
static int record = -1;

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

void fault_record(const char *where, const char *file) {
    if (record >= 0) syscall(SYS_close, record);
    watched_length = snprintf(watched, sizeof watched, "%s", where);
    record = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

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

static int is_watched(const char *path) {
    return record >= 0 && !strncmp(path, watched, watched_length)
        && (path[watched_length] == '/' || path[watched_length] == 0);
}

static int watches_fd(int fd, char *path, size_t size) {
    return record >= 0 && fd > 2 && path_of_descriptor(fd, path, size) && is_watched(path);
}

/* Write the whole path of a name that is looked up in a folder; tell whether it is watched. */
static int watches_name(int fd, const char *name, char *path, size_t size) {
    if (record < 0 || !name) return 0;
    if (name[0] == '/') {
        snprintf(path, size, "%s", name);
    } else if (fd == AT_FDCWD) {
        return 0;
    } else {
        char above[2048];
        if (!path_of_descriptor(fd, above, sizeof above)) return 0;
        snprintf(path, size, "%s/%s", above, name);
    }
    return is_watched(path);
}

static void note(const char *what, const char *path, long number, const void *more, size_t size) {
    char head[128];
    size_t length = strlen(path);
    int begun = snprintf(head, sizeof head, "%s %ld %zu %zu\n", what, number, size, length);
    char *whole = malloc(begun + length + size);
    if (!whole) abort();
    memcpy(whole, head, begun);
    memcpy(whole + begun, path, length);
    if (size) memcpy(whole + begun + length, more, size);
    if (syscall(SYS_write, record, whole, begun + length + size) != (long)(begun + length + size)) abort();
    free(whole);
}

static long number_of(const char *path) {
    struct stat facts;
    return lstat(path, &facts) ? 0 : (long)facts.st_ino;
}

static long size_of(int fd) {
    struct stat facts;
    return fstat(fd, &facts) ? 0 : (long)facts.st_size;
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


static void note_write(int fd, const char *path, const void *data, ssize_t size, long at) {
    if (size > 0) note("write", path, at, data, size);
}

ssize_t write(int fd, const void *data, size_t size) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) next = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (record >= 0 && fd == 1) note("said", "", 0, data, size);
    char path[4096];
    int watching = watches_fd(fd, path, sizeof path);
    long at = !watching ? 0 : fcntl(fd, F_GETFL) & O_APPEND ? size_of(fd) : lseek(fd, 0, SEEK_CUR);
    enum verdict verdict = concerns_fd(fd) ? meet(1) : GO;
    if (verdict == FAIL) return -1;
    ssize_t done = next(fd, data, verdict == HALF && size > 1 ? size / 2 : size);
    if (verdict == HALF && mode == TORN) die();
    if (watching) note_write(fd, path, data, done, at);
    return done;
}

/* How SQLite writes. */
#define WRITING_AT(name, offset)                                                          \
    ssize_t name(int fd, const void *data, size_t size, offset at) {                       \
        static ssize_t (*next)(int, const void *, size_t, offset);                        \
        if (!next) next = (ssize_t (*)(int, const void *, size_t, offset))dlsym(RTLD_NEXT, #name); \
        enum verdict verdict = concerns_fd(fd) ? meet(1) : GO;                            \
        if (verdict == FAIL) return -1;                                                  \
        ssize_t done = next(fd, data, verdict == HALF && size > 1 ? size / 2 : size, at);  \
        if (verdict == HALF && mode == TORN) die();                                       \
        char path[4096];                                                                 \
        if (watches_fd(fd, path, sizeof path)) note_write(fd, path, data, done, at);       \
        return done;                                                                     \
    }

WRITING_AT(pwrite, off_t)
WRITING_AT(pwrite64, off64_t)

#define ON_DESCRIPTOR(name, parameters, arguments, what, number)                          \
    int name parameters {                                                                \
        static int (*next) parameters;                                                   \
        if (!next) next = (int (*) parameters)dlsym(RTLD_NEXT, #name);                    \
        if (concerns_fd(fd) && meet(0) == FAIL) return -1;                                \
        int done = next arguments;                                                       \
        char path[4096];                                                                 \
        if (what[0] && !done && watches_fd(fd, path, sizeof path)) note(what, path, number, "", 0); \
        return done;                                                                     \
    }

ON_DESCRIPTOR(fsync, (int fd), (fd), "sync", 0)
ON_DESCRIPTOR(fdatasync, (int fd), (fd), "sync", 0)
ON_DESCRIPTOR(ftruncate, (int fd, off_t size), (fd, size), "truncate", size)
ON_DESCRIPTOR(ftruncate64, (int fd, off64_t size), (fd, size), "truncate", size)
ON_DESCRIPTOR(fchmod, (int fd, mode_t bits), (fd, bits), "", 0)

#define ON_NAME(name, parameters, arguments, fd, path, what)                              \
    int name parameters {                                                                \
        static int (*next) parameters;                                                   \
        if (!next) next = (int (*) parameters)dlsym(RTLD_NEXT, #name);                    \
        if (concerns_name(fd, path) && meet(0) == FAIL) return -1;                        \
        int done = next arguments;                                                       \
        char full[4096];                                                                 \
        if (!done && watches_name(fd, path, full, sizeof full)) note(what, full, number_of(full), "", 0); \
        return done;                                                                     \
    }

ON_NAME(unlink, (const char *path), (path), AT_FDCWD, path, "unlink")
ON_NAME(unlinkat, (int fd, const char *path, int flags), (fd, path, flags), fd, path, "unlink")
ON_NAME(mkdir, (const char *path, mode_t bits), (path, bits), AT_FDCWD, path, "mkdir")
ON_NAME(mkdirat, (int fd, const char *path, mode_t bits), (fd, path, bits), fd, path, "mkdir")

#define ON_TWO_NAMES(name, parameters, arguments, from_fd, from, fd, path, what)          \
    int name parameters {                                                                \
        static int (*next) parameters;                                                   \
        if (!next) next = (int (*) parameters)dlsym(RTLD_NEXT, #name);                    \
        if (concerns_name(fd, path) && meet(0) == FAIL) return -1;                        \
        int done = next arguments;                                                       \
        char full[4096], old[4096];                                                      \
        if (!done && watches_name(fd, path, full, sizeof full)) {                         \
            if (!watches_name(from_fd, from, old, sizeof old)) abort(); /* from outside: not foreseen */ \
            note(what, full, 0, old, strlen(old));                                       \
        }                                                                                \
        return done;                                                                     \
    }

ON_TWO_NAMES(rename, (const char *from, const char *path), (from, path), AT_FDCWD, from, AT_FDCWD, path, "rename")
ON_TWO_NAMES(renameat, (int a, const char *from, int fd, const char *path), (a, from, fd, path), a, from, fd, path, "rename")
ON_TWO_NAMES(renameat2, (int a, const char *from, int fd, const char *path, unsigned flags), (a, from, fd, path, flags),
             a, from, fd, path, (flags & 2 ? "exchange" : "rename"))
ON_TWO_NAMES(link, (const char *from, const char *path), (from, path), AT_FDCWD, from, AT_FDCWD, path, "link")
ON_TWO_NAMES(linkat, (int a, const char *from, int fd, const char *path, int flags), (a, from, fd, path, flags),
             a, from, fd, path, "link")

static void note_opening(const char *path, int existed, int flags) {
    if (!existed) note("create", path, number_of(path), "", 0);
    else if (flags & O_TRUNC) note("truncate", path, 0, "", 0);
}

#define IS_CHANGE(flags) ((flags) & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC))

#define OPENING(name)                                                                     \
    int name(int fd, const char *path, int flags, ...) {                                  \
        static int (*next)(int, const char *, int, ...);                                  \
        if (!next) next = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, #name);   \
        va_list rest;                                                                    \
        va_start(rest, flags);                                                           \
        mode_t bits = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;         \
        va_end(rest);                                                                    \
        char full[4096];                                                                 \
        int watching = IS_CHANGE(flags) && watches_name(fd, path, full, sizeof full);     \
        int existed = watching && number_of(full) != 0;                                  \
        if (IS_CHANGE(flags) && concerns_name(fd, path) && meet(0) == FAIL) return -1;    \
        int opened = next(fd, path, flags, bits);                                        \
        if (watching && opened >= 0) note_opening(full, existed, flags);                 \
        return opened;                                                                   \
    }

OPENING(openat)
OPENING(openat64)

/* How SQLite and Python open a whole path; these are only written down. */
#define OPENING_PATH(name)                                                                \
    int name(const char *path, int flags, ...) {                                          \
        static int (*next)(const char *, int, ...);                                      \
        if (!next) next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name);        \
        va_list rest;                                                                    \
        va_start(rest, flags);                                                           \
        mode_t bits = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;         \
        va_end(rest);                                                                    \
        char full[4096];                                                                 \
        int watching = IS_CHANGE(flags) && watches_name(AT_FDCWD, path, full, sizeof full); \
        int existed = watching && number_of(full) != 0;                                  \
        int opened = next(path, flags, bits);                                            \
        if (watching && opened >= 0) note_opening(full, existed, flags);                 \
        return opened;                                                                   \
    }

OPENING_PATH(open)
OPENING_PATH(open64)
