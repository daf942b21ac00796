// The Go runtime ends the process with status 2 after a panic or a fatal error,
// which is this program's status for invalid input. Such an end cannot be caught
// in Go, because it may come from any goroutine or from C. But with
// debug.SetTraceback("crash") the runtime dies by SIGABRT, and passes that to a
// handler that was installed before it started.

#include "crash.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char no_space[] = "descbench: out of memory: the limit on address space (ulimit -v) is reached; raise it or use a lower --jobs\n";

static void end(int status, const char *line) {
	if (write(STDERR_FILENO, line, strlen(line)) < 0) {
		// There is nobody left to tell.
	}
	_exit(status);
}

// crashed is called for SIGABRT, also that of abort in C. A limit on address
// space that leaves less than 1 GB is taken as the cause, and so is one that leaves no
// process.
static void crashed(int sig) {
	(void)sig;
	void *probe = mmap(NULL, (size_t)1 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (probe == MAP_FAILED) {
		end(EXIT_DATA, no_space);
	}
	long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); // fork takes locks
	if (child == 0) {
		_exit(0);
	}
	if (child < 0 && errno == EAGAIN) {
		end(EXIT_DATA, "descbench: the limit on processes and threads (ulimit -u) is reached; raise it or use a lower --jobs\n");
	}
	end(EXIT_FAULT, "descbench: crashed; please report this bug with the lines above\n");
}

static void at_least(int resource, rlim_t least, const char *line) {
	struct rlimit limit;
	if (getrlimit(resource, &limit) == 0 && limit.rlim_cur < least) {
		end(EXIT_DATA, line);
	}
}

static pthread_mutex_t started = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_others(void *none) {
	pthread_mutex_lock(&started);
	pthread_mutex_unlock(&started);
	return none;
}

// try_threads starts as many threads as the runtime and a few jobs need. What a limit on
// them leaves depends on the user's other processes.
static void try_threads(void) {
	pthread_t threads[16];
	pthread_attr_t small;
	int n = 0;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 1 << 20);
	pthread_mutex_lock(&started);
	while (n < 16 && pthread_create(&threads[n], &small, wait_for_others, NULL) == 0) {
		n++;
	}
	if (n < 16) {
		end(EXIT_DATA, "descbench: the limit on processes and threads (ulimit -u) leaves fewer than 16, which is not enough to start; raise it\n");
	}
	pthread_mutex_unlock(&started);
	while (n > 0) {
		pthread_join(threads[--n], NULL);
	}
}

// space_left returns the bytes of address space that a limit leaves.
static rlim_t space_left(void) {
	char pages[32] = "0";
	struct rlimit limit;
	int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	if (file < 0 || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || read(file, pages, sizeof pages - 1) < 0) {
		limit.rlim_cur = RLIM_INFINITY;
	}
	close(file);
	rlim_t used = strtoul(pages, NULL, 10) * sysconf(_SC_PAGESIZE);
	return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

// OpenBLAS asks for 128 MB again and again until it gets them (OpenBLAS issue 5289).
// watch_space ends a process that has lacked them for 3 s: it may wait for ever.
static void *watch_space(void *none) {
	for (int lacking = 0; lacking < 30; lacking = space_left() < (rlim_t)128 << 20 ? lacking + 1 : 0) {
		usleep(100000);
	}
	end(EXIT_DATA, no_space);
	return none;
}

// start_watching needs no signals: those are for the threads of the runtime.
static void start_watching(void) {
	pthread_t thread;
	pthread_attr_t small;
	sigset_t all, before;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 1 << 20);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, &small, watch_space, NULL) == 0) {
		pthread_detach(thread);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// OpenBLAS, if OpenCV was built with it, starts a thread for each processor, which spin
// for a while. descbench shares its work out itself: it needs none of them.
extern void openblas_set_num_threads(int) __attribute__((weak));
extern int blas_thread_shutdown_(void) __attribute__((weak));

static void stop_openblas_threads(void) {
	if (openblas_set_num_threads && blas_thread_shutdown_) {
		openblas_set_num_threads(1);
		blas_thread_shutdown_();
	}
}

// The runtime cannot start, or not say why, under limits such as these. It reserves more
// than 1.5 GB of address space, with its threads, before main, and OpenBLAS waits for
// ever for 128 MB that it does not get.
__attribute__((constructor)) static void before_go(void) {
	at_least(RLIMIT_AS, (rlim_t)2500000 << 10, "descbench: the limit on address space (ulimit -v) is below 2.5 GB, which is not enough to start; raise it\n");
	at_least(RLIMIT_NOFILE, 12, "descbench: the limit on open files (ulimit -n) is below 12, which is not enough to start; raise it\n");
	stop_openblas_threads();
	try_threads();
	if (space_left() < RLIM_INFINITY / 2) {
		start_watching();
	}
	// The runtime would open /dev/null for a closed stdout, and results would be lost in
	// silence. Opened for reading, it makes writing fail.
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0 && (fcntl(STDIN_FILENO, F_GETFD) >= 0 || open("/dev/null", O_RDONLY) == STDIN_FILENO)) {
		open("/dev/null", O_RDONLY);
	}
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_handler = crashed;
	action.sa_flags = SA_ONSTACK; // on the small stacks of goroutines
	sigaction(SIGABRT, &action, NULL);
	// With this, the runtime asks each thread for its stack. If a thread of a C
	// library gets it, the runtime passes it here.
	sigaction(SIGQUIT, &action, NULL);
}
