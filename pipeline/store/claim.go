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
	"sync"
	"time"

	"descbench/pipeline/files"
)

// A Holder is a process that holds a claim.
type Holder struct {
	Claim   string    // path of the claim
	Process string    // "process 4711 of alice on node3"
	Since   time.Time // when it made the claim; if unknown, when it last renewed it
	Until   time.Time // when the claim expires unless it is renewed
}

const (
	// claimAttempts limits how often Claim starts over because other processes
	// release claims or remove the folder.
	claimAttempts = 100

	// clockSkew is how far ahead the clock of another machine may be.
	clockSkew = time.Minute

	// maxClaim limits a claim in bytes, which only has the names of a process and
	// its machine.
	maxClaim = 4096
)

// Claim tries to claim a piece of work for this process by creating the file
// path. It returns the process that holds the claim already, or nil if the claim
// is made. A claim is renewed until it is released, and expires ttl after it was
// last renewed. Claim takes over expired claims, claims from the future, damaged claims,
// and claims of processes on this machine that no longer run. Call release when the
// work is done, whatever the other results are.
//
// A claim avoids duplicate work but does not guarantee exclusion: two processes
// that find the same expired claim may both get it. Doing the work twice must be
// harmless.
func (r Root) Claim(path string, ttl time.Duration) (release func(), by *Holder, err error) {
	me, err := thisProcess()
	token := fmt.Sprintf("%s %d %s\n", me, time.Now().Unix(), rand.Text())
	for attempt := 1; err == nil && by == nil; attempt++ {
		// A claim appears with its content, so that one without it is nobody's.
		switch err = r.CreateFile(path, []byte(token)); {
		case err == nil:
			return r.renew(path, token, ttl/4), nil, nil
		case attempt == claimAttempts:
			err = fmt.Errorf("other processes keep changing it: %w", err)
		case errors.Is(err, fs.ErrNotExist): // another process has removed the folder with its last claim
			err = nil
		case errors.Is(err, fs.ErrExist):
			if by, err = HolderOf(path, ttl); by == nil && err == nil {
				err = r.Remove(path)
			}
		}
	}
	if err != nil {
		err = fmt.Errorf("claim: %w", err)
	}
	return func() {}, by, err
}

// Holders returns the processes that hold claims in a folder.
func Holders(dir string, ttl time.Duration) ([]*Holder, error) {
	entries, err := os.ReadDir(dir)
	if IgnoreMissing(err) != nil {
		return nil, err
	}
	var all []*Holder
	for _, e := range entries {
		if IsTemporary(e.Name()) {
			continue
		}
		by, err := HolderOf(filepath.Join(dir, e.Name()), ttl)
		if err != nil {
			return nil, err
		}
		if by != nil {
			all = append(all, by)
		}
	}
	return all, nil
}

// RemoveClaims removes the claims in a folder that no process holds, such as one that could not be
// removed when it was released, and the folder if it is empty then.
func (r Root) RemoveClaims(dir string, ttl time.Duration) {
	entries, _ := os.ReadDir(dir) // if it is there
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if by, err := HolderOf(path, ttl); by == nil && err == nil && !IsTemporary(e.Name()) {
			_ = r.Remove(path) // or else, the folder stays
		}
	}
	_ = r.Remove(dir)
}

// HolderOf returns the process that holds the claim path, or nil if no process
// does.
func HolderOf(path string, ttl time.Duration) (*Holder, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, IgnoreMissing(err)
	}
	renewed := info.ModTime()
	by := &Holder{Claim: path, Process: "an unknown process", Since: renewed}
	switch b, err := files.Read(path, maxClaim); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil: // a claim that this user may not read
	default:
		p, since, ok := parseClaim(string(b))
		if !ok || p.gone() {
			return nil, nil
		}
		by.Process, by.Since = p.name(info), since
	}
	if age := time.Since(renewed); age > ttl || age < -clockSkew {
		return nil, nil
	}
	by.Until = renewed.Add(ttl)
	return by, nil
}

// parseClaim returns the process and the time that Claim wrote.
func parseClaim(token string) (p process, since time.Time, ok bool) {
	fields := strings.Fields(token)
	if len(fields) != 5 || !strings.HasSuffix(token, "\n") {
		return p, since, false
	}
	pid, err1 := strconv.Atoi(fields[1])
	seconds, err2 := strconv.ParseInt(fields[3], 10, 64)
	return process{fields[0], pid, fields[2]}, time.Unix(seconds, 0), err1 == nil && err2 == nil
}

// renew renews a claim at regular intervals, so that it does not expire during
// long work. release ends that and removes the claim, unless another process has
// taken it over, and the folder with its last claim. A claim that cannot be removed expires at once:
// this process may need it again.
func (r Root) renew(path, token string, interval time.Duration) (release func()) {
	ours := func() bool {
		b, err := files.Read(path, maxClaim)
		return err == nil && string(b) == token
	}
	released := make(chan struct{})
	var renewing sync.WaitGroup
	renewing.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-released:
				return
			case now := <-tick.C:
				if ours() {
					_ = os.Chtimes(path, now, now)
				}
			}
		}
	})
	return sync.OnceFunc(func() {
		close(released)
		renewing.Wait()
		if ours() && r.Remove(path) != nil {
			_ = os.Chtimes(path, time.Unix(0, 0), time.Unix(0, 0))
		}
		_ = r.Remove(filepath.Dir(path)) // unless it has other claims
	})
}
