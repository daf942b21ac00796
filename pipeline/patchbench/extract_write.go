package patchbench

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"path/filepath"
	"strconv"

	"descbench/eval/patches"
	"descbench/keypoints"
	"descbench/pipeline/files/keypointio"
	"descbench/pipeline/patchbench/regions"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// writeImage writes the strips of image i, counted from 0, and their frames.
func (s *cutSequence) writeImage(ctx context.Context, dir string, i int) error {
	picture, err := s.picture(i)
	if err != nil {
		return err
	}
	h := s.scene.Homography(i)
	for _, noise := range noisesOf(i) {
		pixels := make([]uint8, 0, s.counts.Patches*patches.PatchSide*patches.PatchSide*picture.Channels)
		var frames bytes.Buffer
		for _, row := range s.rows {
			if err := ctx.Err(); err != nil {
				return err
			}
			region := s.region(row, i, noise)
			pixels = append(pixels, picture.Cut(region, h, patches.PatchSide)...)
			in := region.Through(h)
			writeNumbers(&frames, in.X, in.Y, in.A[0][0], in.A[1][0], in.A[0][1], in.A[1][1])
		}
		path := filepath.Join(dir, patches.ImageName(noise.Letter, i))
		if err := store.WriteFile(path+".png", func(w io.Writer) error { return encodeStrip(w, pixels, picture.Channels) }); err != nil {
			return plan.Fault(err)
		}
		if err := store.WriteBytes(path+".frames", frames.Bytes()); err != nil {
			return plan.Fault(err)
		}
	}
	return nil
}

// picture decodes image i, counted from 0, in colour or grey.
func (s *cutSequence) picture(i int) (regions.Picture, error) {
	img, err := s.scene.Decode(i)
	if err != nil {
		return regions.Picture{}, err
	}
	defer img.Close()
	p := regions.Picture{Width: img.Width(), Height: img.Height(), Channels: 1}
	if s.Color {
		p.Channels, p.Pix = 3, img.BGR.ToBytes()
	} else {
		p.Pix = img.Gray.ToBytes()
	}
	return p, nil
}

// encodeStrip writes the pixels of patches, grey or BGR, one above the other.
func encodeStrip(w io.Writer, pixels []uint8, channels int) error {
	// The default level takes longer than everything else, for files smaller by an
	// eighth.
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	bounds := image.Rect(0, 0, patches.PatchSide, len(pixels)/channels/patches.PatchSide)
	if channels == 1 {
		return encoder.Encode(w, &image.Gray{Pix: pixels, Stride: patches.PatchSide, Rect: bounds})
	}
	rgb := image.NewNRGBA(bounds)
	for i := range len(pixels) / 3 {
		copy(rgb.Pix[4*i:], []byte{pixels[3*i+2], pixels[3*i+1], pixels[3*i], 255})
	}
	return encoder.Encode(w, rgb) // writes no alpha channel, because all pixels are opaque
}

// extractionSettings are what all sequences of a folder depend on.
type extractionSettings struct {
	Cut
	Jitter map[string]float64 `json:"jitter"` // see regions.Jittered
	// The values of each keypoint set and of those that it is made from.
	KeypointSets [][]string `json:"keypoint_sets"`
}

func (x *Extraction) settings() extractionSettings {
	s := extractionSettings{Cut: x.Cut, Jitter: make(map[string]float64)}
	for _, noise := range regions.Noises() {
		s.Jitter[noise.Name] = noise.Amount
	}
	for _, of := range x.Of {
		s.KeypointSets = append(s.KeypointSets, of.Values())
	}
	return s
}

// extractionFile records how the sequences in its folder, or that of its folder, were cut.
const extractionFile = "extraction.json"

// An extractionRecord is the content of the extraction.json of a sequence.
type extractionRecord struct {
	extractionSettings
	Digest string            `json:"scene_digest"`
	Input  string            `json:"input_digest"` // of the scene and the keypoints
	Counts ExtractedSequence `json:"counts"`
}

// writeSides writes the files of a sequence that do not belong to a single image.
func (x *Extraction) writeSides(dir, input string, s *cutSequence) error {
	for i := 1; i < len(s.scene.Images); i++ {
		var text bytes.Buffer
		h := s.scene.Homography(i)
		for row := range 3 {
			writeNumbers(&text, h[3*row:3*row+3]...)
		}
		if err := store.WriteBytes(filepath.Join(dir, fmt.Sprintf("H_ref_%d", i)), text.Bytes()); err != nil {
			return plan.Fault(err)
		}
	}
	set := keypoints.Set{Keypoints: s.all}.Select(s.rows)
	err := store.WriteFile(filepath.Join(dir, "keypoints.csv"), func(w io.Writer) error { return keypointio.WriteCSV(w, set) })
	if err != nil {
		return plan.Fault(err)
	}
	record := extractionRecord{x.settings(), s.scene.Digest, input, s.counts}
	return plan.WriteJSON(filepath.Join(dir, extractionFile), record)
}

// writeNumbers appends a line of numbers separated by commas, with enough digits to
// read them back exactly.
func writeNumbers(b *bytes.Buffer, numbers ...float64) {
	line := patches.AppendList(nil, numbers, func(line []byte, v float64) []byte { return strconv.AppendFloat(line, v, 'g', -1, 64) })
	b.Write(append(line, '\n'))
}
