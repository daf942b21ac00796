package store

// PatchPrefix is the prefix of all metric names of the patch benchmark.
const PatchPrefix = "patch_"
