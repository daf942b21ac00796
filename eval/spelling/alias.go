package spelling

// aliases are words of papers and other programs for what a config has under another name or in
// another place, and for metrics.
var aliases = map[string]string{
	"tolerance": "evaluation.tolerance_px",

	"aliked": ownFunction, "disk": ownFunction, "hardnet": ownFunction, "lightglue": ownFunction, "sosnet": ownFunction, "superpoint": ownFunction,
	"boostdesc": ownXfeatures2d, "brief": ownXfeatures2d, "daisy": ownXfeatures2d, "freak": ownXfeatures2d, "latch": ownXfeatures2d, "lucid": ownXfeatures2d, "vgg": ownXfeatures2d,

	"concat":   "type: fusion; see 'descbench descriptors fusion'",
	"dspsift":  "type: sift with pooling: {type: domain_size, scales: [0.85, 1, 1.3]} in the descriptor",
	"matches":  "type: matches in descriptors",
	"npz":      "type: file; see 'descbench descriptors file'",
	"onnx":     "type: command with operation: patches, and run: [python3, -m, descbench, onnx, FILE] for an ONNX file; see docs/own-functions.md",
	"python":   ownFunction,
	"rootsift": "type: sift with root: l1 in the descriptor",

	"fpr": "false_positive_rate",
	"tpr": "true_positive_rate",
}

const (
	ownFunction    = "type: command with a function of your own that calls it; see docs/own-functions.md"
	ownXfeatures2d = "type: command with a function of your own that calls it in cv2.xfeatures2d (pip install opencv-contrib-python); see docs/own-functions.md"
)

// Alias returns what descbench calls something that others call word, for messages; "" if it is not
// known.
func Alias(word string) string { return aliases[Fold(word)] }
