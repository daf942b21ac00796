package store

import (
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"descbench/eval/spelling"
)

// ownerOf returns the name of the owner of a file.
func ownerOf(file fs.FileInfo) string {
	id := strconv.Itoa(int(file.Sys().(*syscall.Stat_t).Uid))
	if of, err := user.LookupId(id); err == nil {
		return of.Username
	}
	return "user " + id
}

// OfOther returns " of NAME" if a file exists and belongs to another user.
func OfOther(path string) string {
	file, err := os.Stat(path)
	if err != nil || int(file.Sys().(*syscall.Stat_t).Uid) == os.Getuid() {
		return ""
	}
	return " of " + ownerOf(file)
}

// Permit says how a folder, or that of a file, can be opened that this user may not use; or
// those that are closed of its folders.
func Permit(path string, closed ...string) string {
	path, info, err := Existing(path)
	if err == nil && !info.IsDir() {
		path = filepath.Dir(path)
	}
	var owners []string
	groups, _ := os.Getgroups()
	chgrp := ""
	for _, folder := range append(closed, path)[:max(len(closed), 1)] {
		info, err := os.Stat(folder)
		if err != nil || ownerOf(info) == "root" {
			return "choose another place"
		}
		owners = append(owners, ownerOf(info))
		if group := int(info.Sys().(*syscall.Stat_t).Gid); group != os.Getegid() && !slices.Contains(groups, group) {
			chgrp = "chgrp -R GROUP %[2]s; "
		}
	}
	slices.Sort(owners)
	return fmt.Sprintf("choose another place, or ask its owner %[1]s for: "+chgrp+"chmod -R g+rwX %[2]s; find %[2]s -type d -exec chmod g+s {} +",
		strings.Join(slices.Compact(owners), " and "), spelling.Shell(path))
}
