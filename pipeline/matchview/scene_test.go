package matchview

import (
	"syscall"
	"testing"

	"descbench/pipeline/store"
)

func TestImagesAreLeftOutUnlessTheMachineIsAtFault(t *testing.T) {
	for err, fails := range map[error]bool{syscall.ENOENT: false, syscall.EMFILE: true, syscall.ENFILE: true, syscall.ENOMEM: true} {
		var page ScenePage
		got := page.withoutImages(t.Context(), &store.Fault{Where: "v_a", Err: err})
		if (got != nil) != fails || (page.NoImages == "") != fails {
			t.Errorf("%v: %v, without images: %s", err, got, page.NoImages)
		}
	}
}
