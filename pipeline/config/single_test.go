package config

import (
	"strings"
	"testing"
)

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
