package config

import (
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
)

func TestADescriptorOfFlagsIsThatOfAConfig(t *testing.T) {
	got, err := NewDescriptor("sift", "mine", []string{"root=l1", "normalize=none", "pooling.type=domain_size", "pooling.scales=0.5, 1,2", "params.n_features=7"})
	if err == nil {
		t.Fatalf("got %+v, want that n_features is unknown", got)
	}
	if got, err = NewDescriptor("sift", "a/mine", []string{"root=l1", "pooling.type=domain_size", "pooling.scales=0.5, 1,2"}); err != nil {
		t.Fatal(err)
	}
	if got.Name != "a/mine" || got.Type != "sift" || got.Root != descriptors.L1 || got.Pooling == nil || !slices.Equal(got.Pooling.Scales, []float64{0.5, 1, 2}) {
		t.Errorf("got %+v with pooling %+v", got, got.Pooling)
	}
}

func TestFaultsOfFlagsNameTheFlag(t *testing.T) {
	_, err := NewDescriptor("sift", "sift", []string{"roto=l1"})
	if err == nil || !strings.HasPrefix(err.Error(), "--set roto=l1: descriptors[sift].roto: unknown key") {
		t.Errorf("got %v", err)
	}
	_, err = NewDescriptor("sfit", "sift", nil)
	if err == nil || !strings.HasPrefix(err.Error(), "--type sfit: descriptors[sift].type: ") {
		t.Errorf("got %v", err)
	}
}
