// What floor.c and textbook.c share: a list of files, a minimal DER walk, threads and a clock.
#pragma once
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { most_threads = 64, block = 64, largest_receipt = 8 << 20 };

static void fail(const char *what) {
    perror(what);
    exit(2);
}

// MARK: Bytes

typedef struct {
    const unsigned char *start;
    size_t count;
} bytes;

static inline int same(bytes a, bytes b) {
    return a.count == b.count && memcmp(a.start, b.start, a.count) == 0;
}

typedef struct {
    unsigned char tag;
    bytes whole;    // tag, length and contents
    bytes contents;
} element;

// Takes one element of definite length from the front of `input`. 0 if there is none.
static int next(bytes *input, element *out) {
    const unsigned char *p = input->start, *end = p + input->count;
    if (end - p < 2) return 0;
    out->tag = *p++;
    size_t count = *p++;
    if (count & 0x80) {
        size_t octets = count & 0x7f;
        if (octets == 0 || octets > 4 || (size_t)(end - p) < octets) return 0;
        for (count = 0; octets > 0; octets--) count = count << 8 | *p++;
    }
    if ((size_t)(end - p) < count) return 0;
    out->contents = (bytes){p, count};
    out->whole = (bytes){input->start, p + count - input->start};
    input->start = p + count;
    input->count = end - input->start;
    return 1;
}

// The same, if the element has this tag.
static int expect(bytes *input, unsigned char tag, element *out) {
    return next(input, out) && out->tag == tag;
}

// MARK: Files

typedef struct {
    int folder;  // an open descriptor of the folder that holds it
    char *name;
} file;

static file *files;
static size_t file_count, file_room;

// Adds every regular file below `folder`, in the order the file system tells; devices.csv is no receipt.
static void walk(int folder) {
    DIR *entries = fdopendir(dup(folder));
    if (!entries) fail("fdopendir");
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (entry->d_type == DT_DIR) {
            int below = openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (below < 0) fail(entry->d_name);
            walk(below);
        } else if (entry->d_type == DT_REG && strcmp(entry->d_name, "devices.csv") != 0) {
            if (file_count == file_room) {
                file_room = file_room ? file_room * 2 : 1024;
                if (!(files = realloc(files, file_room * sizeof *files))) fail("realloc");
            }
            files[file_count++] = (file){folder, strdup(entry->d_name)};
        }
    }
    closedir(entries);
}

// Opens, reads and closes one file: three calls. An empty result if it cannot be read or is too large.
static bytes slurp(const file *f, unsigned char *buffer) {
    int descriptor = openat(f->folder, f->name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return (bytes){buffer, 0};
    ssize_t count = read(descriptor, buffer, largest_receipt + 1);
    close(descriptor);
    return (bytes){buffer, count < 0 || count > largest_receipt ? 0 : (size_t)count};
}

// MARK: Threads

typedef enum { verified, refused, skipped, outcomes } outcome;

// What a program brings: state of one thread's own, and what it does with one receipt.
static void *start_worker(void);
static outcome judge(void *worker, bytes receipt);
static void end_worker(void *worker);

static atomic_size_t next_file;
static atomic_size_t total[outcomes];

static void *work(void *unused) {
    (void)unused;
    size_t counts[outcomes] = {0};
    unsigned char *buffer = malloc(largest_receipt + 1);
    void *worker = start_worker();
    for (size_t first; (first = atomic_fetch_add(&next_file, block)) < file_count;)
        for (size_t i = first; i < first + block && i < file_count; i++)
            counts[judge(worker, slurp(&files[i], buffer))]++;
    end_worker(worker);
    free(buffer);
    for (int i = 0; i < outcomes; i++) atomic_fetch_add(&total[i], counts[i]);
    return NULL;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static unsigned char *root;  // the file that -r names
static size_t root_count;

static void read_root(const char *path) {
    root = malloc(1 << 16);
    FILE *in = fopen(path, "rb");
    if (!in) fail(path);
    root_count = fread(root, 1, 1 << 16, in);
    fclose(in);
}

// PROGRAM [-t THREADS] [-n REPEATS] [-m MOST_FILES] [-r ROOT] FOLDER...   or   PROGRAM -v
// One line per repeat. The time is that of the threads' work, their start included; the walk is not in it.
// Microseconds are those of a receipt that was judged: skipped files are read, but not counted.
int main(int count, char **arguments) {
    long threads = 1, repeats = 1, most = 0;
    for (int option; (option = getopt(count, arguments, "t:n:m:r:v")) != -1;) switch (option) {
        case 't': threads = atol(optarg); break;
        case 'n': repeats = atol(optarg); break;
        case 'm': most = atol(optarg); break;
        case 'r': read_root(optarg); break;
        case 'v': return puts(OpenSSL_version(OPENSSL_VERSION)) < 0;
        default: return 64;
        }
    if (optind == count || threads < 1 || threads > most_threads) {
        fprintf(stderr, "usage: %s [-t THREADS] [-n REPEATS] [-m MOST_FILES] [-r ROOT] FOLDER...\n", *arguments);
        return 64;
    }
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);

    for (int i = optind; i < count; i++) {
        int folder = open(arguments[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0) fail(arguments[i]);
        walk(folder);
    }
    if (most > 0 && (size_t)most < file_count) file_count = most;

    while (repeats-- > 0) {
        pthread_t running[most_threads];
        next_file = 0;
        for (int i = 0; i < outcomes; i++) total[i] = 0;
        double start = now();
        for (long i = 0; i < threads; i++)
            if (pthread_create(&running[i], NULL, work, NULL)) fail("pthread_create");
        for (long i = 0; i < threads; i++) pthread_join(running[i], NULL);
        double seconds = now() - start;
        size_t judged = total[verified] + total[refused];
        printf("files=%zu verified=%zu refused=%zu skipped=%zu threads=%ld seconds=%.6f us_per_receipt_per_core=%.2f\n",
               file_count, total[verified], total[refused], total[skipped], threads, seconds,
               seconds * 1e6 * threads / (judged ? judged : 1));
        fflush(stdout);
    }
    return 0;
}
