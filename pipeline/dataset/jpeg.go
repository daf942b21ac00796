package dataset

/*
#cgo pkg-config: libjpeg
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>

typedef struct {
	struct jpeg_error_mgr base;
	jmp_buf leave;
	char *text; // JMSG_LENGTH_MAX bytes
} complaint;

static void complain(j_common_ptr info) {
	complaint *c = (complaint *)info->err;
	c->base.format_message(info, c->text);
	longjmp(c->leave, 1);
}

// Levels below 0 are warnings, the others are traces.
static void complain_of_warnings(j_common_ptr info, int level) {
	if (level < 0)
		complain(info);
}

// Encoders write about 10 scans. A file of a few kilobytes with thousands of them
// would take hours to decode.
#define MAX_SCANS 100

static void limit_scans(j_common_ptr info) {
	if (((j_decompress_ptr)info)->input_scan_number > MAX_SCANS) {
		complaint *c = (complaint *)info->err;
		sprintf(c->text, "more than %d scans", MAX_SCANS);
		longjmp(c->leave, 1);
	}
}

// read_jpeg reads the size and, unless bgr is NULL, the pixels as blue, green, red.
// It returns 0, or 1 and the text of the first error or warning.
static int read_jpeg(const unsigned char *data, unsigned long size, int *width, int *height, unsigned char *bgr, char *text) {
	struct jpeg_decompress_struct info;
	struct jpeg_progress_mgr progress = {.progress_monitor = limit_scans};
	complaint c;
	memset(&info, 0, sizeof info);
	info.err = jpeg_std_error(&c.base);
	c.base.error_exit = complain;
	c.base.emit_message = complain_of_warnings;
	c.text = text;
	if (setjmp(c.leave)) {
		jpeg_destroy_decompress(&info);
		return 1;
	}
	jpeg_create_decompress(&info);
	info.progress = &progress;
	jpeg_mem_src(&info, (unsigned char *)data, size);
	jpeg_read_header(&info, TRUE);
	if (info.num_components != 1 && info.num_components != 3) {
		sprintf(text, "%d colour channels (4 are CMYK), want 1 (grey) or 3", info.num_components);
		longjmp(c.leave, 1);
	}
	*width = info.image_width;
	*height = info.image_height;
	if (bgr == NULL) {
		jpeg_destroy_decompress(&info);
		return 0;
	}
	info.out_color_space = JCS_RGB;
	jpeg_start_decompress(&info);
	JSAMPARRAY row = info.mem->alloc_sarray((j_common_ptr)&info, JPOOL_IMAGE, info.output_width * 3, 1);
	while (info.output_scanline < info.output_height) {
		jpeg_read_scanlines(&info, row, 1);
		for (JDIMENSION x = 0; x < info.output_width; x++, bgr += 3)
			for (int c = 0; c < 3; c++)
				bgr[c] = row[0][3 * x + 2 - c];
	}
	jpeg_finish_decompress(&info);
	jpeg_destroy_decompress(&info);
	return 0;
}
*/
import "C"

import (
	"bytes"
	"errors"
	"image"
	"strings"
	"unsafe"
)

const exifSignature = "Exif\x00\x00"

func chooseJPEG(data []byte) (picture, exif []byte, err error) {
	_, exif, _ = bytes.Cut(data, []byte(exifSignature))
	return data, exif, nil
}

func sizeOfJPEG(data []byte) (image.Config, error) {
	width, height, err := readJPEG(data, nil)
	return image.Config{Width: width, Height: height}, err
}

func decodeJPEG(data, bgr []byte) error {
	_, _, err := readJPEG(data, &bgr[0])
	return err
}

// readJPEG reads by libjpeg, as most other programs do, so that pixels are theirs. Its
// warnings are errors here: it fills missing and damaged parts of an image with grey.
func readJPEG(data []byte, bgr *byte) (width, height int, err error) {
	text := make([]byte, C.JMSG_LENGTH_MAX)
	var w, h C.int
	if C.read_jpeg((*C.uchar)(&data[0]), C.ulong(len(data)), &w, &h, (*C.uchar)(bgr), (*C.char)(unsafe.Pointer(&text[0]))) == 0 {
		return int(w), int(h), nil
	}
	message, _, _ := strings.Cut(string(text), "\x00")
	if message == "Premature end of JPEG file" {
		return 0, 0, errTruncated
	}
	return 0, 0, errors.New(strings.TrimPrefix(message, "Corrupt JPEG data: "))
}
