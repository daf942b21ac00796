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

// check_jpeg returns 0, or 1 and the text of the first error or warning. It
// decodes at an eighth of the size: the coded data are read in full, but few
// pixels are computed.
static int check_jpeg(const unsigned char *data, unsigned long size, char *text) {
	struct jpeg_decompress_struct info;
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
	jpeg_mem_src(&info, (unsigned char *)data, size);
	jpeg_read_header(&info, TRUE);
	info.scale_num = 1;
	info.scale_denom = 8;
	info.do_block_smoothing = FALSE;
	jpeg_start_decompress(&info);
	JSAMPARRAY row = info.mem->alloc_sarray((j_common_ptr)&info, JPOOL_IMAGE, info.output_width * info.output_components, 1);
	while (info.output_scanline < info.output_height)
		jpeg_read_scanlines(&info, row, 1);
	jpeg_finish_decompress(&info);
	jpeg_destroy_decompress(&info);
	return 0;
}
*/
import "C"

import (
	"fmt"
	"strings"
	"unsafe"
)

// checkJPEG returns an error if libjpeg reports an error or a warning about the
// coded data. OpenCV ignores warnings, and fills missing and damaged parts of an
// image with grey.
func checkJPEG(data []byte) error {
	text := make([]byte, C.JMSG_LENGTH_MAX)
	if C.check_jpeg((*C.uchar)(unsafe.Pointer(&data[0])), C.ulong(len(data)), (*C.char)(unsafe.Pointer(&text[0]))) == 0 {
		return nil
	}
	message, _, _ := strings.Cut(string(text), "\x00")
	return fmt.Errorf("damaged JPEG: %s", strings.TrimPrefix(message, "Corrupt JPEG data: "))
}
