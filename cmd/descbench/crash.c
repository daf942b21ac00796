// The Go runtime ends the process with status 2 after a panic or a fatal error,
// which is this program's status for invalid input. Such an end cannot be caught
// in Go, because it may come from any goroutine or from C. But with
// debug.SetTraceback("crash") the runtime dies by SIGABRT, and passes that to a
// handler that was installed before it started.

#include "crash.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static void end(int status, const char *line) {
	if (write(STDERR_FILENO, line, strlen(line)) < 0) {
		// There is nobody left to tell.
	}
	_exit(status);
}

// crashed is called for SIGABRT, also that of abort in C. A limit on address
// space that leaves less than 1 GB is taken as the cause.
static void crashed(int sig) {
	(void)sig;
	void *probe = mmap(NULL, (size_t)1 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (probe == MAP_FAILED) {
		end(EXIT_DATA, "descbench: out of memory: the limit on address space (ulimit -v) is reached; raise it or use a lower --jobs\n");
	}
	end(EXIT_FAULT, "descbench: crashed; please report this bug with the lines above\n");
}

// The runtime reserves more than 1.5 GB of address space, with its threads, before main.
// If it cannot, it ends with status 2 at once.
__attribute__((constructor)) static void before_go(void) {
	struct rlimit space;
	if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur < (rlim_t)2000000 << 10) {
		end(EXIT_DATA, "descbench: the limit on address space (ulimit -v) is below 2 GB, which is not enough to start; raise it\n");
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
