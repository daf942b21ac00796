package config

import (
	"fmt"
	"slices"
	"strings"

	"descbench/descriptors"
	"descbench/eval/spelling"
)

// Names that a literature search gives, but that are no types here: the config
// writes them in another way, or another program computes them.
var (
	// patchNetworks map a patch to a descriptor: Tian, Fan, Wu, CVPR 2017 (L2-Net);
	// Mishchuk et al., NIPS 2017 (HardNet); Tian et al., CVPR 2019 (SOSNet) and
	// NeurIPS 2020 (HyNet); Balntas et al., BMVC 2016 (TFeat); Luo et al., ECCV 2018
	// (GeoDesc).
	patchNetworks = []string{"hardnet", "hardnet8", "sosnet", "hynet", "tfeat", "l2net", "geodesc", "deepdesc"}
	// wholeImages are networks that detect and describe in one pass over an image.
	wholeImages = []string{
		"superpoint", "disk", "aliked", "alike", "r2d2", "d2net", "xfeat", "dedode", "aslfeat", "lfnet", "lift",
		"contextdesc", "keynet", "key.net", "silk", "raco", "dad",
	}
	// contrib are descriptors of OpenCV's contrib modules.
	contrib = []string{"freak", "brief", "daisy", "lucid", "latch", "vgg", "boostdesc", "beblid", "teblid"}
	// matchers match the features of two images, or two images: Lindenberger et al.,
	// ICCV 2023 (LightGlue); Sarlin et al., CVPR 2020 (SuperGlue); Sun et al., CVPR 2021
	// (LoFTR); Edstedt et al., CVPR 2024 (RoMa).
	matchers = []string{"lightglue", "superglue", "loftr", "roma", "dkm", "aspanformer", "efficient_loftr", "mast3r", "omniglue"}
	formats  = []string{"npz", "npy", "numpy", "csv", "h5", "hdf5", "import", "imported", "external", "custom", "own"}
	models   = []string{"network", "net", "cnn", "torch", "pytorch", "tensorflow", "model", "patch_network", "patchnet"}
	fusing   = []string{"concat", "concatenate", "concatenation", "fuse", "fused", "ensemble"}
)

// seeTypes says where a type is explained.
const seeTypes = "see 'descbench descriptors %s'"

// describedBy returns what to write instead of a word that is no type of
// descriptor; "" if it is not known.
func describedBy(word string) string {
	word = spelling.Fold(word)
	squeezed := strings.ReplaceAll(word, "_", "")
	// rootsift, root_sift, dsp_sift
	for _, k := range descriptors.Kinds() {
		switch squeezed {
		case "root" + k.Name:
			return fmt.Sprintf("type: %s with root: l1", k.Name)
		case "dsp" + k.Name:
			return fmt.Sprintf("type: %s with pooling: {type: domain_size, scales: [0.85, 1, 1.3]}", k.Name)
		case "dsproot" + k.Name, "rootdsp" + k.Name:
			return fmt.Sprintf("type: %s with root: l1 and pooling: {type: domain_size, scales: [0.85, 1, 1.3]}", k.Name)
		}
	}
	switch {
	case slices.Contains(patchNetworks, word) || slices.Contains(patchNetworks, squeezed):
		return "type: onnx with the network's model as an ONNX file, type: command with a function that calls it, or type: file with descriptors that it computed; " + fmt.Sprintf(seeTypes, commandType)
	case slices.Contains(wholeImages, word) || slices.Contains(wholeImages, squeezed):
		return "type: command with operation: detect and a function that calls it, or type: file with keypoints and descriptors that it computed; " + fmt.Sprintf(seeTypes, commandType)
	case slices.Contains(matchers, word), slices.Contains(matchers, squeezed):
		return "type: command with operation: match and a function that calls it, or type: matches with matches that it found; " + fmt.Sprintf(seeTypes, commandType)
	case slices.Contains(contrib, word), slices.Contains(formats, word):
		return "type: file, which reads descriptors of other programs; " + fmt.Sprintf(seeTypes, fileType)
	case slices.Contains([]string{"python", "program", "script", "function", "exec"}, word):
		return "type: command, which runs a program; " + fmt.Sprintf(seeTypes, commandType)
	case slices.Contains(models, word):
		return "type: onnx, which runs a patch network, or type: command with a function that calls it; " + fmt.Sprintf(seeTypes, onnxType)
	case slices.Contains(fusing, word):
		return "type: fusion; " + fmt.Sprintf(seeTypes, fusionType)
	}
	return ""
}

// detectedBy returns what to write instead of a word that is no type of
// detector; "" if it is not known.
func detectedBy(word string) string {
	word = spelling.Fold(word)
	squeezed := strings.ReplaceAll(word, "_", "")
	switch {
	case slices.Contains([]string{"dog", "rootsift", "usift", "rgbsift", "opponentsift", "dspsift"}, squeezed):
		return "sift: the descriptor does not change the detector"
	case slices.Contains(wholeImages, word), slices.Contains(wholeImages, squeezed), slices.Contains(formats, word):
		return "type: command with a function that calls it, or import: {path: ...} instead of detect; " + fmt.Sprintf(seeTypes, fileType)
	}
	return ""
}
