// Package compare says how much descriptors differ, by scene, and whether the
// difference is significant; and it sets runs next to published figures.
package compare
