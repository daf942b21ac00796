package fetch

import (
	"fmt"
	"net/http"
)

// maxRedirects limits the redirects from an address.
const maxRedirects = 10

// A redirectError is a redirect that is not followed.
type redirectError struct{ reason string }

func (e *redirectError) Error() string { return e.reason }

// newClient returns a client that uses the proxies of the environment (HTTP_PROXY,
// HTTPS_PROXY, NO_PROXY).
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone() // its proxies are the environment's
	transport.DisableCompression = true                          // ranges are those of the file
	return &http.Client{
		Transport: transport,
		CheckRedirect: func(request *http.Request, via []*http.Request) error {
			switch last := via[len(via)-1].URL; {
			case len(via) > maxRedirects:
				return &redirectError{fmt.Sprintf("redirects more than %d times", maxRedirects)}
			case request.URL.Scheme != "http" && request.URL.Scheme != "https":
				return &redirectError{fmt.Sprintf("redirects to %q, want http or https", request.URL.Scheme)}
			case last.Scheme == "https" && request.URL.Scheme == "http":
				return &redirectError{"redirects from https to http, which anybody on the way could change"}
			}
			return nil
		},
	}
}
