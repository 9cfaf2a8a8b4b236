// spend COMMAND [ARGUMENT...]: runs it and prints what it spent. Its standard output goes nowhere.
//
// The script cannot ask the kernel itself: a process's peak memory starts with that of whoever started it,
// and Python's is larger than the product's.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(struct timeval t) { return t.tv_sec + t.tv_usec / 1e6; }

int main(int count, char **arguments) {
    if (count < 2) return 64;
    struct timespec start, end;
    struct rusage used;
    int status;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = fork();
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        execvp(arguments[1], arguments + 1);
        perror(arguments[1]);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child) {
        perror("spend");
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("status=%d seconds=%.6f cpu=%.6f peak=%ld\n",
           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
           end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9,
           seconds_of(used.ru_utime) + seconds_of(used.ru_stime), used.ru_maxrss * 1024);
    return 0;
}
