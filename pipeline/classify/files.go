package classify

import (
	"context"
	"os"

	"descbench/eval/binary"
	"descbench/eval/fact"
	"descbench/pipeline/files"
	"descbench/pipeline/plan"
)

// maxSamples limits a file of distances in bytes. It has room for 200 million
// lines; each takes 8 bytes in memory.
const maxSamples = 4 << 30

// Files reads files of distance,label lines as one system. Its error is a
// DataError that names the file and line.
func Files(ctx context.Context, name string, files []string, at binary.OperatingPoint) (binary.System, error) {
	all := &binary.Samples{}
	var both []string
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return binary.System{}, err
		}
		samples, err := readSamples(path)
		if err != nil {
			return binary.System{}, err
		}
		positives, negatives := samples.Len()
		if positives > 0 && negatives > 0 {
			both = append(both, path)
		}
		all.Merge(samples)
	}
	s := binary.NewSystem(name, all.Curve(), at)
	if len(both) > 1 {
		s.Summary.Facts = append(s.Summary.Facts, fact.New(fact.MergedFiles).Naming("files", both...))
	}
	return s, nil
}

func readSamples(path string) (*binary.Samples, error) {
	if plan.Folder(path).IsRun() {
		return nil, plan.Faultf("%s: is a run folder, want it alone, or files only; for one figure of several runs, use report --figures, which draws roc and precision_recall, or list all descriptors in one config (features come from the cache)", path)
	} else if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, plan.Faultf("%s: is a folder, want files of distance,label lines or a single run folder", path)
	}
	f, err := files.Open(path, maxSamples)
	if err != nil {
		return nil, plan.Fault(err)
	}
	defer f.Close()
	samples, err := binary.Read(path, f)
	return samples, plan.Fault(err)
}
