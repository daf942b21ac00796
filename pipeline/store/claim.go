package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Claim tries to claim a piece of work for this process by creating the file
// path. It returns ok = false if another process holds a claim that is not older
// than ttl. It takes over older claims, and claims of processes on this machine
// that no longer run. Call release when the work is done, whatever ok and err
// are.
//
// A claim avoids duplicate work but does not guarantee exclusion: two processes
// that find the same expired claim may both get it, and a process that works
// longer than ttl loses its claim. Doing the work twice must be harmless.
func Claim(path string, ttl time.Duration) (release func(), ok bool, err error) {
	host, err := os.Hostname()
	if err != nil {
		return func() {}, false, fmt.Errorf("claim: %w", err)
	}
	token := fmt.Sprintf("%s %d %s", host, os.Getpid(), rand.Text())
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return func() {}, false, fmt.Errorf("claim: %w", err)
	}
	for range 2 { // second attempt after removing an expired claim
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			_, err = fmt.Fprintln(f, token)
			if err := errors.Join(err, f.Close()); err != nil {
				return func() {}, false, errors.Join(fmt.Errorf("claim %s: %w", path, err), ignoreMissing(os.Remove(path)))
			}
			return func() { unclaim(path, token) }, true, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return func() {}, false, fmt.Errorf("claim: %w", err)
		}
		info, err := os.Stat(path)
		if ignoreMissing(err) != nil {
			return func() {}, false, fmt.Errorf("claim: %w", err)
		}
		if err != nil {
			continue // the claim has just been released
		}
		if time.Since(info.ModTime()) <= ttl && !abandoned(path, host) {
			return func() {}, false, nil
		}
		if err := ignoreMissing(os.Remove(path)); err != nil {
			return func() {}, false, fmt.Errorf("claim: %w", err)
		}
	}
	return func() {}, false, nil // another process was faster
}

// abandoned reports whether a claim belongs to a process of this machine that no
// longer runs. It treats a claim that cannot be read as still held.
func abandoned(path, host string) bool {
	b, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	fields := strings.Fields(string(b))
	if len(fields) != 3 || fields[0] != host {
		return false
	}
	pid, err := strconv.Atoi(fields[1])
	return err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// unclaim removes the claim unless another process has taken it over. A claim
// that cannot be removed expires.
func unclaim(path, token string) {
	if b, err := os.ReadFile(path); err == nil && string(b) == token+"\n" {
		_ = os.Remove(path)
	}
}
