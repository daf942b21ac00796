package fetch

// A Release is a data set that its authors publish as an archive.
type Release struct {
	Name   string // of the data set, "hpatches-sequences"
	Folder string // that the archive unpacks to, "hpatches-sequences-release"
	URL    string // of a zip archive
}

// Releases returns all releases. The addresses are those of the first author's copies
// at Hugging Face.
func Releases() []Release {
	const hub = "https://huggingface.co/datasets/vbalnt/hpatches/resolve/main/"
	return []Release{{
		Name:   "hpatches-sequences",
		Folder: "hpatches-sequences-release",
		URL:    hub + "hpatches-sequences-release.zip",
	}, {
		Name:   "hpatches-patches",
		Folder: "hpatches-release",
		URL:    hub + "hpatches-release.zip",
	}}
}
