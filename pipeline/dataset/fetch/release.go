package fetch

// A Release is a data set that its authors publish as an archive.
type Release struct {
	Name   string   // of the data set, "hpatches-sequences"
	Folder string   // that the archive unpacks to, "hpatches-sequences-release"
	URLs   []string // where it can be downloaded, best first
	Marker string   // a file that every sequence has, and no other folder
	// Expansion is the size of the files divided by that of the archive, at most.
	Expansion float64
}

// Releases returns all releases. The first address of each is that of its first
// author's copy at Hugging Face; the second, that of the original publication
// (https://github.com/hpatches/hpatches-dataset), often does not answer.
func Releases() []Release {
	const hub = "https://huggingface.co/datasets/vbalnt/hpatches/resolve/main/"
	const icvl = "http://icvl.ee.ic.ac.uk/vbalnt/hpatches/"
	return []Release{{
		Name:   "hpatches-sequences",
		Folder: "hpatches-sequences-release",
		URLs:   []string{hub + "hpatches-sequences-release.zip", icvl + "hpatches-sequences-release.tar.gz"},
		Marker: "H_1_2",
		// Deflate saves at least a third of most photographs in PPM.
		Expansion: 2,
	}, {
		Name:      "hpatches-patches",
		Folder:    "hpatches-release",
		URLs:      []string{hub + "hpatches-release.zip", icvl + "hpatches-release.tar.gz"},
		Marker:    "ref.png",
		Expansion: 1.1, // PNG, which does not compress any further
	}}
}
