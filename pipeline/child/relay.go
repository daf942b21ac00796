package child

import (
	"errors"
	"io"
	"net"
	"os"
)

// Relay joins the protocol on standard input and output to the socket at a path, on which a
// program answers that has started descbench to call its functions. It ends when either side does.
func Relay(socket string) error {
	if socket == "" {
		return errors.New("the function is one of a Python program; call descbench.evaluate there")
	}
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return err
	}
	defer conn.Close()
	go func() {
		_, _ = io.Copy(conn, os.Stdin)
		_ = conn.(*net.UnixConn).CloseWrite()
	}()
	_, err = io.Copy(os.Stdout, conn)
	return err
}
