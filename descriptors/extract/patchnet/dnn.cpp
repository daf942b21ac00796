#include "dnn.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/dnn.hpp>

struct descbench_net {
	std::string name;
	cv::dnn::Net net;
	cv::Mat input, output;
};

namespace {

char *copy_of(const char *message) {
	char *copy = static_cast<char *>(std::malloc(std::strlen(message) + 1));
	if (copy != nullptr) {
		std::strcpy(copy, message);
	}
	return copy;
}

/* The name of the model that this thread passes to OpenCV. */
thread_local const char *current = nullptr;

constexpr struct {
	int number;
	const char *name;
} signals[] = {{SIGFPE, "SIGFPE"}, {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}};

struct sigaction former[NSIG]; /* the actions of the Go runtime */

/* Handles the signals by which OpenCV ends the process on many models that are sound
   messages but make no sense, such as a convolution with 0 groups. */
void crashed(int number, siginfo_t *info, void *context) {
	if (current == nullptr) {
		former[number].sa_sigaction(number, info, context);
		return;
	}
	const auto print = [](const char *text) {
		if (write(STDERR_FILENO, text, std::strlen(text)) < 0) {
			/* There is nobody left to tell. */
		}
	};
	print("descbench: OpenCV crashed on the ONNX model ");
	print(current);
	for (const auto &s : signals) {
		if (s.number == number) {
			print(" (");
			print(s.name);
			print(")\n");
		}
	}
	_exit(3); /* bad data */
}

/* Prepares the process, once, for OpenCV's failures: each is one message. */
void prepare() {
	static std::once_flag once;
	std::call_once(once, [] {
		cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
		for (const auto &s : signals) {
			sigaction(s.number, nullptr, &former[s.number]);
			struct sigaction own = former[s.number];
			own.sa_sigaction = crashed;
			sigaction(s.number, &own, nullptr);
		}
	});
}

/* Runs f, which passes the named model to OpenCV, and reports whether it did not throw. */
template <typename F>
bool attempt(const char *name, F f, char *&error) {
	const struct Running {
		explicit Running(const char *name) { current = name; }
		~Running() { current = nullptr; }
	} running(name);
	try {
		f();
		return true;
	} catch (const std::exception &e) { /* includes cv::Exception */
		error = copy_of(e.what());
	} catch (...) {
		error = copy_of("an exception without a message");
	}
	return false;
}

} // namespace

descbench_loaded descbench_net_load(const char *name, const char *model, int size) {
	prepare();
	descbench_loaded result = {nullptr, nullptr};
	std::unique_ptr<descbench_net> loaded;
	if (attempt(name, [&] {
		loaded.reset(new descbench_net{name, {}, {}, {}});
		cv::dnn::Net &net = loaded->net;
		net = cv::dnn::readNetFromONNX(model, static_cast<size_t>(size));
		if (net.empty()) {
			throw std::runtime_error("the model has no layers");
		}
		const std::vector<cv::String> outputs = net.getUnconnectedOutLayersNames();
		if (outputs.size() != 1) {
			std::string names;
			for (const cv::String &name : outputs) {
				names += " " + name;
			}
			throw std::runtime_error("the model has " + std::to_string(outputs.size()) + " outputs, want one:" + names);
		}
		net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
		net.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
	}, result.error)) {
		result.net = loaded.release();
	}
	return result;
}

void descbench_net_free(descbench_net *net) { delete net; }

descbench_output descbench_net_run(descbench_net *net, const float *input, const int *shape, int dims) {
	descbench_output result = {0, nullptr, nullptr, 0, nullptr};
	result.ok = attempt(net->name.c_str(), [&] {
		/* A copy: OpenCV may keep pointing to the data it is given. */
		net->input = cv::Mat(dims, shape, CV_32F, const_cast<float *>(input)).clone();
		net->net.setInput(net->input);
		net->output = net->net.forward();
		if (net->output.type() != CV_32F) {
			throw std::runtime_error("the output is of OpenCV's type " + std::to_string(net->output.type()) + ", want 32-bit floating point");
		}
		if (!net->output.isContinuous()) {
			net->output = net->output.clone();
		}
		result.values = net->output.ptr<float>();
		result.shape = net->output.size.p;
		result.dims = net->output.dims;
	}, result.error);
	return result;
}
