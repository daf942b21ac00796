// Package childtest is a program for tests that speaks the protocol of children, written
// from docs/protocol.md and without package child. Its rows are the colours of pixels.
package childtest

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Main serves until standard input ends. The argument says how to misbehave; "" or
// "good": not at all.
func Main(mode string, more ...string) {
	in, out := bufio.NewReader(os.Stdin), os.Stdout
	fmt.Fprintln(os.Stderr, "loading weights")
	switch mode {
	case "exit":
		fmt.Fprintln(os.Stderr, "no weights.pth")
		os.Exit(3)
	case "prints":
		fmt.Println("Loading weights from the hub")
	case "megabytes":
		line := strings.Repeat("x", 1<<16)
		for range 64 {
			fmt.Fprintln(os.Stderr, line)
		}
	case "ignores":
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	}
	for calls := 0; ; calls++ {
		header, arrays, err := read(in)
		if err != nil {
			return
		}
		reply := map[string]any{"id": header["id"]}
		if header["operation"] == "hello" {
			if len(more) > 0 { // tell that this process has started
				note(more[0])
			}
			protocol := 1
			if mode == "version" {
				protocol = 7
			}
			function := map[string]any{"operation": "describe", "name": "pixels", "version": "3"}
			reply["protocol"], reply["functions"] = protocol, []any{function, map[string]any{"operation": "patches", "name": "patches", "version": "1"}}
			write(out, reply)
			continue
		}
		switch mode {
		case "die":
			fmt.Fprintln(os.Stderr, "CUDA error")
			os.Exit(5)
		case "killed":
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		case "once": // the first process dies
			if _, err := os.Stat(more[0] + ".died"); err != nil {
				_ = os.WriteFile(more[0]+".died", nil, 0o666)
				os.Exit(1)
			}
		case "hang", "ignores":
			fmt.Fprintln(os.Stderr, "waiting for the GPU")
			time.Sleep(time.Hour)
		case "slow":
			time.Sleep(50 * time.Millisecond)
		case "error":
			reply["error"] = "ValueError: no such layer"
			write(out, reply)
			continue
		case "id":
			reply["id"] = 99
		case "noise":
			_, _ = out.WriteString("0% done\n")
		case "huge":
			frame(out, []byte(fmt.Sprintf(`{"id": %v, "arrays": ["descriptors"]}`, header["id"])))
			_, _ = out.Write([]byte{255, 255, 255, 255})
			time.Sleep(time.Hour)
		case "empty":
			write(out, reply)
			continue
		}
		write(out, reply, "descriptors", rows(mode, calls, arrays))
	}
}

// note appends the number of the process to a file.
func note(path string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		defer f.Close()
		fmt.Fprintln(f, os.Getpid())
	}
}

// rows returns an .npy of N×4 float32, or 2 for each patch: the colours of the keypoint's
// pixel and its size.
func rows(mode string, calls int, arrays map[string][]byte) string {
	if patches, ok := arrays["patches"]; ok {
		shape, _ := array(patches)
		n := shape[0]
		if mode == "batch" {
			n--
		}
		return npy(strings.Repeat(float(1)+float(2), n), n, 2)
	}
	image, pixels := array(arrays["image"])
	shape, points := array(arrays["keypoints"])
	var out strings.Builder
	for i := range shape[0] {
		at := func(j int) float32 { return toFloat(points[4*(4*i+j):]) }
		x, y := int(at(0)), int(at(1))
		for c := range 3 {
			v := float32(pixels[(y*image[1]+x)*3+c])
			switch mode {
			case "nan":
				v /= float32(i * 0)
			case "noisy":
				v += float32(calls)
			case "changed":
				v++
			}
			out.WriteString(float(v))
		}
		out.WriteString(float(at(2)))
	}
	if mode == "shape" {
		return npy(out.String(), 2*shape[0], 2)
	}
	return npy(out.String(), shape[0], 4)
}

func toFloat(b []byte) float32 {
	var v float32
	_, _ = binary.Decode(b, binary.LittleEndian, &v)
	return v
}

func float(v float32) string {
	b, _ := binary.Append(nil, binary.LittleEndian, v)
	return string(b)
}

// npy returns a matrix in version 1.0 of the format, whose header ends at a multiple of 64
// bytes.
func npy(elements string, rows, columns int) string {
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", rows, columns)
	header += strings.Repeat(" ", 117-len(header)) + "\n"
	return "\x93NUMPY\x01\x00\x76\x00" + header + elements
}

// array returns the shape and the elements of an .npy.
func array(npy []byte) (shape []int, elements []byte) {
	end := 10 + int(binary.LittleEndian.Uint16(npy[8:]))
	text := regexp.MustCompile(`'shape': \(([^)]*)\)`).FindSubmatch(npy[10:end])[1]
	for _, n := range strings.Split(string(text), ",") {
		if v, err := strconv.Atoi(strings.TrimSpace(n)); err == nil {
			shape = append(shape, v)
		}
	}
	return shape, npy[end:]
}

func read(in io.Reader) (header map[string]any, arrays map[string][]byte, err error) {
	text, err := part(in)
	if err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(text, &header); err != nil {
		return nil, nil, err
	}
	arrays = make(map[string][]byte)
	for _, name := range header["arrays"].([]any) {
		if arrays[name.(string)], err = part(in); err != nil {
			return nil, nil, err
		}
	}
	return header, arrays, nil
}

func part(in io.Reader) ([]byte, error) {
	var length uint32
	if err := binary.Read(in, binary.LittleEndian, &length); err != nil {
		return nil, err
	}
	b := make([]byte, length)
	_, err := io.ReadFull(in, b)
	return b, err
}

func write(out io.Writer, header map[string]any, arrays ...string) {
	names := []string{}
	for i := 0; i < len(arrays); i += 2 {
		names = append(names, arrays[i])
	}
	header["arrays"] = names
	text, _ := json.Marshal(header)
	frame(out, text)
	for i := 1; i < len(arrays); i += 2 {
		frame(out, []byte(arrays[i]))
	}
}

func frame(out io.Writer, b []byte) {
	_ = binary.Write(out, binary.LittleEndian, uint32(len(b)))
	_, _ = out.Write(b)
}
