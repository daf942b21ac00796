#include "dnn.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/dnn.hpp>

struct descbench_net {
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

/* Runs f and reports whether it did not throw. */
template <typename F>
bool attempt(F f, char *&error) {
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

descbench_loaded descbench_net_load(const char *model, int size) {
	descbench_loaded result = {nullptr, nullptr};
	std::unique_ptr<descbench_net> loaded;
	if (attempt([&] {
		loaded.reset(new descbench_net);
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
	result.ok = attempt([&] {
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
