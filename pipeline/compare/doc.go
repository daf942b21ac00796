// Package compare compares descriptors scene by scene and tests their differences
// for significance. It also compares runs with published results.
package compare
