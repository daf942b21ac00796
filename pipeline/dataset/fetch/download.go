package fetch

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"descbench/pipeline/files"
	"descbench/pipeline/store"
)

// A source describes the file at an address when its download began, so that the server
// can tell whether the rest that is asked for is of the same file.
type source struct {
	URL      string `json:"url"`
	Size     int64  `json:"size"` // -1 if the server did not tell
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"last_modified,omitempty"`
}

func (f *fetcher) archivePart() string { return filepath.Join(f.unfinished(), "archive.part") }
func (f *fetcher) sourceFile() string  { return filepath.Join(f.unfinished(), "archive.json") }
func (f *fetcher) archive() string     { return filepath.Join(f.unfinished(), "archive") }

// source returns what is known of the download that has begun, nothing if it is
// damaged.
func (f *fetcher) source() (s source) {
	text, err := files.Read(f.sourceFile(), 1<<16)
	if err != nil || json.Unmarshal(text, &s) != nil {
		return source{}
	}
	return s
}

// maxFailures is the number of attempts in a row without a new byte after which an
// address is given up, and maxAttempts that of all attempts.
const maxFailures, maxAttempts = 5, 10_000

// downloadArchive downloads the archive.
func (f *fetcher) downloadArchive(ctx context.Context) error {
	if _, err := os.Stat(f.archive()); err == nil && f.source().URL == f.URL {
		return nil
	}
	failures := 0
	var last error
	for range maxAttempts {
		before := f.have()
		done, err := f.attempt(ctx)
		if done {
			return os.Rename(f.archivePart(), f.archive())
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

// have returns the number of bytes that are there of this download.
func (f *fetcher) have() int64 {
	info, err := os.Stat(f.archivePart())
	if err != nil || f.source().URL != f.URL {
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

// attempt downloads what is missing, by one connection. done reports whether the
// archive is complete.
func (f *fetcher) attempt(ctx context.Context) (done bool, err error) {
	was, have := f.source(), f.have()
	if have > 0 && have == was.Size {
		return true, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alive := time.AfterFunc(f.stall, func() { cancel(fmt.Errorf("sent nothing for %s", f.stall)) })
	defer alive.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.URL, nil)
	if err != nil {
		return false, f.fault("%w", err)
	}
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		// A weak ETag does not promise the same bytes.
		if was.ETag != "" && !strings.HasPrefix(was.ETag, "W/") {
			request.Header.Set("If-Range", was.ETag)
		} else if was.Modified != "" {
			request.Header.Set("If-Range", was.Modified)
		}
	}
	response, err := f.client.Do(request)
	if err != nil {
		return false, f.failed(ctx, err)
	}
	defer response.Body.Close()
	body := &watched{response.Body, func() { alive.Reset(f.stall) }}
	switch code := response.StatusCode; {
	case code == http.StatusOK:
		return f.begin(ctx, response, body)
	case code == http.StatusPartialContent && have > 0:
		return f.resume(ctx, response, body, was.Size, have)
	case code == http.StatusRequestedRangeNotSatisfiable && have > 0:
		return false, f.restart("the server has fewer bytes than are here already")
	case code == http.StatusRequestTimeout, code == http.StatusTooManyRequests, code >= 500:
		return false, temporary("the server answers %q", response.Status)
	default:
		return false, f.fault("the server answers %q", response.Status)
	}
}

// failed returns an error of a connection.
func (f *fetcher) failed(ctx context.Context, err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err // without the address, which may have moved
	}
	var redirect *redirectError
	if errors.As(err, &redirect) {
		return f.fault("%w", redirect)
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	// A host that does not answer at first will not do so in a few seconds.
	if dial := (*net.OpError)(nil); errors.As(err, &dial) && (dial.Op == "dial" || dial.Op == "proxyconnect") && f.have() == 0 {
		return f.fault("%w", dial.Err)
	}
	return temporary("%w", err)
}

// temporary returns an error that another attempt may not have.
func temporary(format string, args ...any) error {
	return &temporaryError{fmt.Errorf(format, args...)}
}

// restart discards what is there, because the file at the address is another one.
func (f *fetcher) restart(reason string) error {
	if err := f.discard(); err != nil {
		return err
	}
	return temporary("%s; the download starts over", reason)
}

// begin downloads from the first byte.
func (f *fetcher) begin(ctx context.Context, response *http.Response, body io.Reader) (done bool, err error) {
	s := source{URL: f.URL, Size: response.ContentLength, ETag: response.Header.Get("ETag"), Modified: response.Header.Get("Last-Modified")}
	if s.Size > f.limits.archive {
		return false, f.fault("the archive has %s, want at most %s", humanize.Bytes(uint64(s.Size)), humanize.Bytes(uint64(f.limits.archive)))
	}
	// A page of a login or an error may come in place of the archive.
	start := bufio.NewReaderSize(body, 1<<16)
	const zipStart = "PK\x03\x04"
	head, err := start.Peek(len(zipStart))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, f.failed(ctx, err)
	}
	if string(head) != zipStart {
		return false, f.fault("sends a file that begins with %q, want a zip archive", head)
	}
	if err := f.discard(); err != nil {
		return false, err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return false, err
	}
	if err := store.WriteBytes(f.sourceFile(), append(text, '\n')); err != nil {
		return false, err
	}
	return f.save(ctx, start, s.Size, 0)
}

// resume downloads what follows the bytes that are there. If they are of another file,
// which the server should notice, the archive is damaged.
func (f *fetcher) resume(ctx context.Context, response *http.Response, body io.Reader, size, have int64) (done bool, err error) {
	var first int64
	header := response.Header.Get("Content-Range")
	if n, _ := fmt.Sscanf(header, "bytes %d-", &first); n != 1 || first != have {
		return false, f.restart(fmt.Sprintf("the server sends the range %q, want one from byte %d", header, have))
	}
	return f.save(ctx, body, size, have)
}

// save appends the body to what is there.
func (f *fetcher) save(ctx context.Context, body io.Reader, size, have int64) (done bool, err error) {
	file, err := store.Append(f.archivePart())
	if err != nil {
		return false, err
	}
	defer func() {
		if e := cmp.Or(file.Sync(), file.Close()); err == nil && e != nil {
			done, err = false, e
		}
	}()
	want := size
	if size < 0 {
		want = f.limits.archive
	}
	f.Progress(Downloading, have, max(size, 0))
	buffer := make([]byte, 1<<18)
	for have < want {
		n, err := body.Read(buffer[:min(int64(len(buffer)), want-have)])
		if _, err := file.Write(buffer[:n]); err != nil {
			return false, err
		}
		have += int64(n)
		f.Progress(Downloading, have, max(size, 0))
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return false, f.failed(ctx, err)
		}
	}
	switch {
	case size < 0 && have == want:
		return false, f.fault("the archive has more than %s, the limit", humanize.Bytes(uint64(f.limits.archive)))
	case have < size:
		return false, temporary("the connection ended after %d of %d bytes", have, size)
	}
	return true, nil
}

// A watched reader reports every answer.
type watched struct {
	io.Reader
	alive func()
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.Reader.Read(b)
	if n > 0 {
		w.alive()
	}
	return n, err
}
