// Package resumable fills an output folder part by part, so that a command that was
// interrupted can be repeated: complete parts are kept.
//
// The first file in the folder is the record of the settings. A command with other
// settings is refused, because its parts would be mixed with those in the folder.
// A part is one or several files, or a folder; its files appear when they are
// complete. Then it is recorded with the digests of its input and its files. A part
// whose input or files have changed is made again. When the command ends, the
// records are written to one file, <settings>.parts.json, which marks a complete
// folder. Until then they are lines of a journal in .unfinished, next to temporary
// files.
//
// One process at a time fills a folder: it holds a claim, as those of scenes.
package resumable
