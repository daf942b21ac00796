#include "opencv.h"

#include <algorithm>
#include <map>
#include <mutex>

#include <opencv2/core.hpp>

#ifdef __GLIBC__ // defined by the includes above
#include <malloc.h>
#endif

namespace {

constexpr size_t large = 1 << 20; // bytes

// Allocates matrices. It keeps the blocks of large ones that are freed and reuses
// them. Used and kept blocks together never exceed the most that was in use at
// once, so that nothing is held that the work did not need.
class Blocks : public cv::MatAllocator {
public:
	cv::UMatData *allocate(int dims, const int *sizes, int type, void *data, size_t *step, cv::AccessFlag flags,
	                       cv::UMatUsageFlags usage) const override {
		size_t bytes = CV_ELEM_SIZE(type);
		for (int i = 0; i < dims; i++)
			bytes *= sizes[i];
		if (data || bytes < large)
			return cv::Mat::getStdAllocator()->allocate(dims, sizes, type, data, step, flags, usage);
		size_t below = CV_ELEM_SIZE(type);
		for (int i = dims - 1; i >= 0; i--) {
			if (step)
				step[i] = below;
			below *= sizes[i];
		}
		auto *u = new cv::UMatData(this);
		try {
			auto [size, block] = take(bytes);
			u->data = u->origdata = static_cast<uchar *>(block);
			u->size = bytes;
			u->userdata = reinterpret_cast<void *>(size);
		} catch (...) {
			delete u;
			throw;
		}
		return u;
	}

	bool allocate(cv::UMatData *u, cv::AccessFlag, cv::UMatUsageFlags) const override { return u != nullptr; }

	void deallocate(cv::UMatData *u) const override {
		if (!u)
			return;
		{
			std::lock_guard<std::mutex> lock(mutex);
			size_t size = reinterpret_cast<size_t>(u->userdata);
			kept.emplace(size, u->origdata);
			inUse -= size;
			inReserve += size;
		}
		u->origdata = nullptr;
		delete u;
	}

	void freeKept() const {
		std::lock_guard<std::mutex> lock(mutex);
		most = inUse;
		dropSurplus();
	}

private:
	// Returns a block of at least the given size, and its size.
	std::pair<size_t, void *> take(size_t bytes) const {
		std::lock_guard<std::mutex> lock(mutex);
		auto fitting = kept.lower_bound(bytes);
		if (fitting != kept.end() && fitting->first <= 2 * bytes) {
			auto block = *fitting;
			kept.erase(fitting);
			inReserve -= block.first;
			inUse += block.first;
			return block;
		}
		most = std::max(most, inUse + bytes);
		inUse += bytes;
		dropSurplus();
		try {
			return {bytes, cv::fastMalloc(bytes)};
		} catch (...) {
			inUse -= bytes;
			throw;
		}
	}

	void dropSurplus() const {
		while (!kept.empty() && inUse + inReserve > most) {
			auto largest = std::prev(kept.end());
			cv::fastFree(largest->second);
			inReserve -= largest->first;
			kept.erase(largest);
		}
	}

	mutable std::mutex mutex; // guards all below
	mutable std::multimap<size_t, void *> kept; // by size
	mutable size_t inUse = 0, inReserve = 0, most = 0; // bytes
};

// Never destroyed, because matrices may outlive it at exit.
const Blocks &blocks() {
	static const auto *all = new Blocks;
	return *all;
}

} // namespace

void descbench_keep_memory(void) {
#ifdef __GLIBC__
	// Large blocks of others than matrices, and those that Blocks frees, return to
	// the system immediately. By default glibc keeps larger and larger ones for
	// every thread.
	mallopt(M_MMAP_THRESHOLD, large);
	mallopt(M_TRIM_THRESHOLD, large);
	mallopt(M_ARENA_MAX, 2);
#endif
	cv::Mat::setDefaultAllocator(const_cast<Blocks *>(&blocks()));
}

void descbench_free_memory(void) {
	blocks().freeKept();
#ifdef __GLIBC__
	malloc_trim(0); // the rest is scattered over the arenas
#endif
}
