package fetch

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"

	"descbench/pipeline/files"
	"descbench/pipeline/store"
)

// part is what there is of the archive until it is complete.
func (f *fetcher) part() string    { return filepath.Join(f.unfinished(), "archive.part") }
func (f *fetcher) archive() string { return filepath.Join(f.unfinished(), "archive") }

// maxFailures is the number of attempts in a row without a new byte after which an
// address is given up, and maxAttempts that of all attempts.
const maxFailures, maxAttempts = 5, 10_000

// downloadArchive downloads the archive. What is there already may be of another file, if
// the one at the address has changed; the archive then is damaged.
func (f *fetcher) downloadArchive(ctx context.Context) error {
	if _, err := os.Stat(f.archive()); err == nil {
		return nil
	}
	failures := 0
	var last error
	for range maxAttempts {
		before := f.have()
		err := f.attempt(ctx)
		if err == nil {
			return os.Rename(f.part(), f.archive())
		}
		var temporary *temporaryError
		if ctx.Err() != nil || !errors.As(err, &temporary) {
			return cmp.Or(ctx.Err(), err)
		}
		last = temporary.error
		if f.have() > before {
			failures = 0
			continue
		}
		if failures++; failures == maxFailures {
			break
		}
		if err := f.pause(ctx, failures-1); err != nil {
			return err
		}
	}
	return f.fault("%w", last)
}

// have returns the number of bytes that are there.
func (f *fetcher) have() int64 {
	info, err := os.Stat(f.part())
	if err != nil {
		return 0
	}
	return info.Size()
}

// fault returns an error about the address, without what may be secret in it.
func (f *fetcher) fault(format string, args ...any) error {
	return store.Faultf(shown(f.URL), format, args...)
}

// shown returns an address for messages: without password and query.
func shown(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "an invalid address"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// A temporaryError is the reason why an attempt failed that may succeed when it is
// repeated.
type temporaryError struct{ error }

// temporary returns an error that another attempt may not have.
func temporary(format string, args ...any) error {
	return &temporaryError{fmt.Errorf(format, args...)}
}

// attempt downloads what is missing, by one connection. Without an error, the archive is
// complete.
func (f *fetcher) attempt(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alive := time.AfterFunc(f.stall, func() { cancel(fmt.Errorf("sent nothing for %s", f.stall)) })
	defer alive.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.URL, nil)
	if err != nil {
		return f.fault("%w", err)
	}
	have := f.have()
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	response, err := f.client.Do(request)
	if err != nil {
		return f.failed(ctx, err)
	}
	defer response.Body.Close()
	body := bufio.NewReader(response.Body)
	switch code := response.StatusCode; {
	case code == http.StatusOK:
		return f.begin(ctx, body, alive, response.ContentLength)
	case code == http.StatusPartialContent && have > 0:
		var first, last, size int64
		ranges := response.Header.Get("Content-Range")
		if n, _ := fmt.Sscanf(ranges, "bytes %d-%d/%d", &first, &last, &size); n == 3 && first == have {
			return f.save(ctx, body, alive, size, have)
		}
		return f.restart(fmt.Sprintf("the server sends the range %q, want one from byte %d", ranges, have))
	case code == http.StatusRequestedRangeNotSatisfiable && have > 0:
		var size int64
		if n, _ := fmt.Sscanf(response.Header.Get("Content-Range"), "bytes */%d", &size); n == 1 && size == have {
			return nil // killed before the archive had its name
		}
		return f.restart("the server has fewer bytes than are here already")
	case code == http.StatusRequestTimeout, code == http.StatusTooManyRequests, code >= 500:
		return temporary("the server answers %q", response.Status)
	default:
		return f.fault("the server answers %q", response.Status)
	}
}

// failed returns an error of a connection.
func (f *fetcher) failed(ctx context.Context, err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err // without the address, which may have moved
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return temporary("%w", err)
}

// restart discards what is there, because the file at the address is another one.
func (f *fetcher) restart(reason string) error {
	return cmp.Or(f.discard(), temporary("%s; the download starts over", reason))
}

// begin downloads from the first byte; size is negative if the server does not tell it.
func (f *fetcher) begin(ctx context.Context, body *bufio.Reader, alive *time.Timer, size int64) error {
	// A page of a login or an error may come in place of the archive.
	const zipStart = "PK\x03\x04"
	head, err := body.Peek(len(zipStart))
	if err != nil && !errors.Is(err, io.EOF) {
		return f.failed(ctx, err)
	}
	if string(head) != zipStart {
		return f.fault("sends a file that begins with %q, want a zip archive", head)
	}
	if err := f.discard(); err != nil {
		return err
	}
	return f.save(ctx, body, alive, size, 0)
}

// save appends the body to what is there. It sets the timer back whenever the server has sent something.
func (f *fetcher) save(ctx context.Context, body io.Reader, alive *time.Timer, size, have int64) (err error) {
	if most := f.limits.archive; size > most {
		return f.fault("the archive has %s, want at most %s", humanize.Bytes(uint64(size)), humanize.Bytes(uint64(most)))
	}
	want := size
	if size < 0 {
		want = f.limits.archive
	}
	if have == 0 {
		if err := store.WriteBytes(f.part(), nil); err != nil {
			return err
		}
	}
	file, err := files.Append(f.part())
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, file.Sync(), file.Close()) }()
	f.Progress(Downloading, have, max(size, 0))
	buffer := make([]byte, 1<<18)
	for have < want {
		n, err := body.Read(buffer[:min(int64(len(buffer)), want-have)])
		if _, err := file.Write(buffer[:n]); err != nil {
			return err
		}
		if have += int64(n); n > 0 {
			alive.Reset(f.stall)
		}
		f.Progress(Downloading, have, max(size, 0))
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return f.failed(ctx, err)
		}
	}
	switch {
	case size < 0 && have == want:
		return f.fault("the archive has more than %s, the limit", humanize.Bytes(uint64(f.limits.archive)))
	case have < size:
		return temporary("the connection ended after %d of %d bytes", have, size)
	}
	return nil
}
