#include <fcntl.h>
#include <unistd.h>

// Of OpenBLAS, if OpenCV was built with it.
extern void openblas_set_num_threads(int) __attribute__((weak));
extern int blas_thread_shutdown_(void) __attribute__((weak));

// before_go does what is too late once the Go runtime has started.
__attribute__((constructor)) static void before_go(void) {
	// OpenBLAS starts a thread for each processor, which spin for a while. descbench shares
	// its work out itself: it needs none of them.
	if (openblas_set_num_threads && blas_thread_shutdown_) {
		openblas_set_num_threads(1);
		blas_thread_shutdown_();
	}
	// The runtime would open /dev/null for a closed stdout, and results would be lost in
	// silence. Opened for reading, it makes writing fail.
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0 && (fcntl(STDIN_FILENO, F_GETFD) >= 0 || open("/dev/null", O_RDONLY) == STDIN_FILENO)) {
		open("/dev/null", O_RDONLY);
	}
}
