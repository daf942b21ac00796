// What Debian's OpenCV calls and a static descbench has no use for. TBB: OpenCV is set to
// one thread, as descbench wants it, with which it starts and ends TBB but gives it no work.
// OpenGL and, through dlopen, OpenCL: a static program cannot load libraries.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

[[noreturn]] static void fail(const char *what) {
	fprintf(stderr, "descbench: OpenCV called %s\n", what);
	abort();
}

namespace cv { void setNumThreads(int); }
// It runs after OpenCV's own initialisation, which calls for this file.
__attribute__((constructor)) static void use_one_thread() { cv::setNumThreads(1); }

namespace tbb { namespace detail {
namespace d1 {
class delegate_base;
class small_object_pool;
class task;
class task_arena_base;
class task_group_context;
class wait_context;
struct execution_data;
}
namespace r1 {
using namespace d1;
void initialize(task_arena_base &) {}
void terminate(task_arena_base &) {}
int max_concurrency(const task_arena_base *) { return 1; }
void execute(task_arena_base &, delegate_base &) { fail("TBB, which this program does not have"); }
void initialize(task_group_context &) { fail("TBB, which this program does not have"); }
void reset(task_group_context &) { fail("TBB, which this program does not have"); }
void destroy(task_group_context &) { fail("TBB, which this program does not have"); }
bool is_group_execution_cancelled(task_group_context &) { fail("TBB, which this program does not have"); }
void spawn(task &, task_group_context &) { fail("TBB, which this program does not have"); }
void wait(wait_context &, task_group_context &) { fail("TBB, which this program does not have"); }
void execute_and_wait(task &, task_group_context &, wait_context &, task_group_context &) { fail("TBB, which this program does not have"); }
void notify_waiters(uintptr_t) { fail("TBB, which this program does not have"); }
uint16_t execution_slot(const execution_data *) { fail("TBB, which this program does not have"); }
void *allocate(small_object_pool *&, size_t) { fail("TBB, which this program does not have"); }
void *allocate(small_object_pool *&, size_t, const execution_data &) { fail("TBB, which this program does not have"); }
void deallocate(small_object_pool &, void *, size_t, const execution_data &) { fail("TBB, which this program does not have"); }
void cache_aligned_deallocate(void *) { fail("TBB, which this program does not have"); }
}
}}

extern "C" {
// Of Fortran's runtime, whose end crashes a static program, LAPACK uses this: its message
// about arguments, and s = a // b padded with blanks.
void xerbla_(const char *, const int *, size_t) { fail("LAPACK with an argument that it refuses"); }
void _gfortran_concat_string(size_t n, char *s, size_t na, const char *a, size_t nb, const char *b) {
	memset(s, ' ', n);
	memcpy(s, a, std::min(n, na));
	if (na < n) {
		memcpy(s + na, b, std::min(n - na, nb));
	}
}

void *glXGetCurrentContext() { return nullptr; }
void *glXGetCurrentDisplay() { return nullptr; }
void *glXGetProcAddressARB(const unsigned char *) { return nullptr; }

void *dlopen(const char *, int) { return nullptr; }
void *dlsym(void *, const char *) { return nullptr; }
int dlclose(void *) { return -1; }
char *dlerror() { return const_cast<char *>("a static program cannot load libraries"); }
int dladdr(const void *, void *) { return 0; }
}
