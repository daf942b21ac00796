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

	"descbench/files"
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

// A download is the release's archive on its way.
type download struct {
	*fetcher
	reached bool // the server has answered
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

// run downloads the archive.
func (d *download) run(ctx context.Context) error {
	if _, err := os.Stat(d.archive()); err == nil && d.source().URL == d.URL {
		return nil
	}
	failures := 0
	var last error
	for range maxAttempts {
		before := d.have()
		done, err := d.attempt(ctx)
		if done {
			return os.Rename(d.archivePart(), d.archive())
		}
		var temporary *temporaryError
		if ctx.Err() != nil || !errors.As(err, &temporary) {
			return cmp.Or(ctx.Err(), err)
		}
		last = temporary.error
		if d.have() > before {
			failures = 0
			continue
		}
		if failures++; failures == maxFailures {
			break
		}
		if err := d.pause(ctx, failures-1); err != nil {
			return err
		}
	}
	return d.fault("%w", last)
}

// have returns the number of bytes that are there of this download.
func (d *download) have() int64 {
	info, err := os.Stat(d.archivePart())
	if err != nil || d.source().URL != d.URL {
		return 0
	}
	return info.Size()
}

// fault returns an error about the address, without what may be secret in it.
func (d *download) fault(format string, args ...any) error {
	return store.Faultf(shown(d.URL), format, args...)
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
func (d *download) attempt(ctx context.Context) (done bool, err error) {
	was, have := d.source(), d.have()
	if have > 0 && have == was.Size {
		return true, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alive := time.AfterFunc(d.stall, func() { cancel(fmt.Errorf("sent nothing for %s", d.stall)) })
	defer alive.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL, nil)
	if err != nil {
		return false, d.fault("%w", err)
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
	response, err := d.client.Do(request)
	if err != nil {
		return false, d.failed(ctx, err)
	}
	defer response.Body.Close()
	d.reached = true
	body := &watched{response.Body, func() { alive.Reset(d.stall) }}
	switch code := response.StatusCode; {
	case code == http.StatusOK:
		return d.begin(ctx, response, body)
	case code == http.StatusPartialContent && have > 0:
		return d.resume(ctx, response, body, was.Size, have)
	case code == http.StatusRequestedRangeNotSatisfiable && have > 0:
		return false, d.restart("the server has fewer bytes than are here already")
	case code == http.StatusRequestTimeout, code == http.StatusTooManyRequests, code >= 500:
		return false, d.temporary("the server answers %q", response.Status)
	default:
		return false, d.fault("the server answers %q", response.Status)
	}
}

// failed returns an error of a connection.
func (d *download) failed(ctx context.Context, err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err // without the address, which may have moved
	}
	var redirect *redirectError
	if errors.As(err, &redirect) {
		return d.fault("%w", redirect)
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	// A host that never answered will not do so in a few seconds.
	if dial := (*net.OpError)(nil); errors.As(err, &dial) && (dial.Op == "dial" || dial.Op == "proxyconnect") && !d.reached {
		err = dial.Err
		if lookup := (*net.DNSError)(nil); errors.As(err, &lookup) {
			err = errors.New(lookup.Err)
		}
		return d.fault("%w", err)
	}
	// Neither will an answer become HTTP.
	if network := net.Error(nil); at != nil && !errors.As(err, &network) && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && context.Cause(ctx) == nil {
		return d.fault("%w", err)
	}
	return d.temporary("%w", err)
}

// temporary returns an error that another attempt may not have.
func (d *download) temporary(format string, args ...any) error {
	return &temporaryError{fmt.Errorf(format, args...)}
}

// restart discards what is there, because the file at the address is another one.
func (d *download) restart(reason string) error {
	if err := d.discard(); err != nil {
		return err
	}
	return d.temporary("%s; the download starts over", reason)
}

// begin downloads from the first byte.
func (d *download) begin(ctx context.Context, response *http.Response, body io.Reader) (done bool, err error) {
	s := source{URL: d.URL, Size: response.ContentLength, ETag: response.Header.Get("ETag"), Modified: response.Header.Get("Last-Modified")}
	if s.Size > d.limits.archive {
		return false, d.fault("the archive has %s, want at most %s", inWords(s.Size), inWords(d.limits.archive))
	}
	// A page of a login or an error may come in place of the archive.
	start := bufio.NewReaderSize(body, 1<<16)
	const zipStart = "PK\x03\x04"
	head, err := start.Peek(len(zipStart))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, d.failed(ctx, err)
	}
	if string(head) != zipStart {
		return false, d.fault("sends a file that begins with %q, want a zip archive", head)
	}
	if err := d.discard(); err != nil {
		return false, err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return false, err
	}
	if err := store.WriteBytes(d.sourceFile(), append(text, '\n')); err != nil {
		return false, err
	}
	return d.save(ctx, start, s.Size, 0)
}

// resume downloads what follows the bytes that are there. If they are of another file,
// which the server should notice, the archive is damaged.
func (d *download) resume(ctx context.Context, response *http.Response, body io.Reader, size, have int64) (done bool, err error) {
	var first int64
	header := response.Header.Get("Content-Range")
	if n, _ := fmt.Sscanf(header, "bytes %d-", &first); n != 1 || first != have {
		return false, d.restart(fmt.Sprintf("the server sends the range %q, want one from byte %d", header, have))
	}
	return d.save(ctx, body, size, have)
}

// save appends the body to what is there.
func (d *download) save(ctx context.Context, body io.Reader, size, have int64) (done bool, err error) {
	file, err := os.OpenFile(d.archivePart(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
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
		want = d.limits.archive
	}
	d.progress(Downloading, have, max(size, 0))
	buffer := make([]byte, 1<<18)
	for have < want {
		n, err := body.Read(buffer[:min(int64(len(buffer)), want-have)])
		if _, err := file.Write(buffer[:n]); err != nil {
			return false, err
		}
		have += int64(n)
		d.progress(Downloading, have, max(size, 0))
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return false, d.failed(ctx, err)
		}
	}
	switch {
	case size < 0 && have == want:
		return false, d.fault("the archive has more than %s, the limit", inWords(d.limits.archive))
	case have < size:
		return false, d.temporary("the connection ended after %d of %d bytes", have, size)
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
