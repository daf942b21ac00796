package config

import (
	"fmt"
	"slices"
	"strings"

	"descbench/descriptors"
	"descbench/eval/spelling"
)

// An other is a group of words that a literature search gives, but that are no types here,
// and what to write instead: the config writes them in another way, or another program
// computes them.
type other struct{ words, instead string }

// inPasses are the words of networks that detect and describe in one pass over an image.
const inPasses = "superpoint disk aliked alike r2d2 d2net xfeat dedode aslfeat lfnet lift contextdesc keynet key.net silk raco dad"

// imported are words for files.
const imported = "npz npy numpy csv h5 hdf5 import imported external custom own"

var notDescriptors = []other{
	// Patch networks: Tian, Fan, Wu, CVPR 2017 (L2-Net); Mishchuk et al., NIPS 2017 (HardNet);
	// Tian et al., CVPR 2019 (SOSNet) and NeurIPS 2020 (HyNet); Balntas et al., BMVC 2016
	// (TFeat); Luo et al., ECCV 2018 (GeoDesc).
	{"hardnet hardnet8 sosnet hynet tfeat l2net geodesc deepdesc", "type: command with operation: patches, and a function that calls it or run: [python3, -m, descbench, onnx, FILE] with its ONNX file; see docs/own-functions.md"},
	{inPasses, "type: command with operation: detect and a function that calls it, or type: file with keypoints and descriptors that it computed; see 'descbench descriptors command'"},
	// Matchers: Lindenberger et al., ICCV 2023 (LightGlue); Sarlin et al., CVPR 2020
	// (SuperGlue); Sun et al., CVPR 2021 (LoFTR); Edstedt et al., CVPR 2024 (RoMa).
	{"lightglue superglue loftr roma dkm aspanformer efficient_loftr mast3r omniglue", "type: command with operation: match and a function that calls it, or type: matches with matches that it found; see 'descbench descriptors command'"},
	// OpenCV's contrib modules, and files.
	{"freak brief daisy lucid latch vgg boostdesc beblid teblid " + imported, "type: file, which reads descriptors of other programs; see 'descbench descriptors file'"},
	{"python program script function exec", "type: command, which runs a program; see 'descbench descriptors command'"},
	{"onnx network net cnn torch pytorch tensorflow model patch_network patchnet", "type: command with operation: patches, and run: [python3, -m, descbench, onnx, FILE] for an ONNX file; see docs/own-functions.md"},
	{"concat concatenate concatenation fuse fused ensemble", "type: fusion; see 'descbench descriptors fusion'"},
}

var notDetectors = []other{
	{"dog rootsift usift rgbsift opponentsift dspsift", "sift: the descriptor does not change the detector"},
	{inPasses + " " + imported, "type: command with a function that calls it, or import: {path: ...} instead of detect; see 'descbench descriptors file'"},
}

// among returns what to write instead of a word, spelled with underscores or without them;
// "" if it is not known.
func among(all []other, word string) string {
	for _, o := range all {
		if words := strings.Fields(o.words); slices.Contains(words, word) || slices.Contains(words, strings.ReplaceAll(word, "_", "")) {
			return o.instead
		}
	}
	return ""
}

// describedBy returns what to write instead of a word that is no type of
// descriptor; "" if it is not known.
func describedBy(word string) string {
	word = spelling.Fold(word)
	const dsp = "pooling: {type: domain_size, scales: [0.85, 1, 1.3]}"
	settings := map[string]string{"root": "root: l1", "dsp": dsp, "dsproot": "root: l1 and " + dsp, "rootdsp": "root: l1 and " + dsp}
	for _, k := range descriptors.Kinds() {
		before, is := strings.CutSuffix(strings.ReplaceAll(word, "_", ""), k.Name) // rootsift, root_sift, dsp_sift
		if with := settings[before]; is && with != "" {
			return fmt.Sprintf("type: %s with %s", k.Name, with)
		}
	}
	return among(notDescriptors, word)
}

// detectedBy returns what to write instead of a word that is no type of
// detector; "" if it is not known.
func detectedBy(word string) string { return among(notDetectors, spelling.Fold(word)) }
