// gocv always contains its functions for image files, which nothing here calls: package
// dataset reads images. With these in the place of those of OpenCV, the linker finds no
// use of libopencv_imgcodecs, which would load GDAL and about 115 more libraries, several
// times what else a start takes.

#include <opencv2/imgcodecs.hpp>

namespace cv {

static void fail() { CV_Error(Error::StsNotImplemented, "descbench has no imgcodecs"); }

Mat imread(const String &, int) { fail(); return Mat(); }
bool imreadmulti(const String &, std::vector<Mat> &, int) { fail(); return false; }
bool imreadmulti(const String &, std::vector<Mat> &, int, int, int) { fail(); return false; }
bool imwrite(const String &, InputArray, const std::vector<int> &) { fail(); return false; }
Mat imdecode(InputArray, int) { fail(); return Mat(); }
Mat imdecode(InputArray, int, Mat *) { fail(); return Mat(); }
bool imencode(const String &, InputArray, std::vector<uchar> &, const std::vector<int> &) { fail(); return false; }

} // namespace cv
