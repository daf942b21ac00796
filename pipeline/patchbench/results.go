package patchbench

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"descbench/eval/catalogue"
	"descbench/eval/ranking"
	"descbench/eval/scope"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Results of the patch benchmark are stored in the same SQLite file as the results
// of runs, as one experiment per descriptor and evaluation. Their metrics
// (patch_...) have the usual scopes: all, illumination, viewpoint, and
// scene:<sequence> if the task distinguishes sequences. The config of the
// experiment is a Protocol. Comparisons are made by sequence, as comparisons of runs
// are made by scene: pairs and queries of a sequence show the same few images and
// are not independent. Two results can be compared on a metric if they use the same
// protocol on the same patches, which their digests show. Distance and
// normalisation may differ, because they belong to the descriptor.

// A Protocol identifies how a result of the patch benchmark was computed and from
// which data. It is stored as YAML under the key patches.
type Protocol struct {
	Task        string `yaml:"task"`          // evaluate, classify, match or retrieve
	Benchmark   string `yaml:"benchmark"`     // name of the split or of the benchmark file
	Protocol    string `yaml:"protocol"`      // definitions of the metrics: p17, m17, hb2016, grouped or 2016
	Distance    string `yaml:"distance"`      // "" if results were read, which do not name it
	PCAPowerLaw bool   `yaml:"pca_power_law"` // descriptors were whitened first
	// Definitions are the digests of the patches, pairs or queries evaluated, by
	// task of 2017. classify, match and retrieve have a single digest, under "".
	Definitions map[string]string `yaml:"definitions"`
	Strips      string            `yaml:"strips,omitempty"` // digest of the strips described; "" if unknown
	Data        string            `yaml:"data"`             // digest of the descriptors or results
}

// String returns the protocol in one line, without the distance.
func (p Protocol) String() string {
	edition := "" // that of 2016 is a protocol
	if p.Task == "evaluate" {
		edition = ", tasks of 2017"
	}
	return fmt.Sprintf("patches %s %s%s, protocol %s", p.Task, p.Benchmark, edition, p.Protocol)
}

// Definition returns the digest of the patches, pairs or queries of a metric.
func (p Protocol) Definition(metric string) string {
	if digest, ofTask := p.Definitions[catalogue.Of(metric).Task]; ofTask {
		return digest
	}
	return p.Definitions[""]
}

// A Result holds the metrics of one descriptor.
type Result struct {
	Protocol
	ranking.Result
	Type      string // element type; "" if results were read
	Dimension int    // 0 if results were read
}

// enterAll stores results in the SQLite file if database is not empty, which it creates if
// necessary, and returns the files written. A result replaces an earlier one of the same
// descriptor, data and protocol.
func enterAll(ctx context.Context, database, version string, results []Result) (written []string, err error) {
	if database == "" {
		return nil, nil
	}
	environment, err := json.Marshal(plan.CurrentEnvironment(version))
	if err != nil {
		return nil, err
	}
	for _, r := range results {
		if r.Descriptor == "" {
			return nil, plan.Faultf("%s: cannot store results without a descriptor name: use --name", database)
		}
		text, err := yaml.Marshal(map[string]Protocol{"patches": r.Protocol})
		if err != nil {
			return nil, err
		}
		r.Scenes = scenesOfMetrics(r.Metrics)
		err = store.EnterShared(ctx, database, store.Run{
			Experiment: r.Protocol.String() + ", " + r.DistanceText(), ProtocolKey: r.Protocol.String(), Identity: store.SHA256(append(text, r.Descriptor...)), Config: string(text), Environment: string(environment),
			Finished: time.Now(), ScenesRequested: len(r.Scenes),
			Descriptors: []store.Descriptor{{Name: r.Descriptor, Type: r.Type, Dimension: r.Dimension}},
			Results:     []ranking.Result{r.Result},
		})
		if err != nil {
			return nil, plan.Fault(err)
		}
	}
	return []string{database}, nil
}

// scenesOfMetrics returns the sequences that have metrics.
func scenesOfMetrics(metrics []scope.Metric) []ranking.SceneResult {
	var names []string
	for _, m := range metrics {
		if name := m.OfScene(); name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var scenes []ranking.SceneResult
	for _, name := range slices.Compact(names) {
		scenes = append(scenes, ranking.SceneResult{
			Name: name, TrueMAP: math.NaN(), TrueMAPIncludingZeros: math.NaN(), Precision: math.NaN(),
		})
	}
	return scenes
}

// ReadProtocol parses the config of an experiment.
func ReadProtocol(text string) (Protocol, error) {
	var config struct{ Patches *Protocol }
	if err := yaml.Unmarshal([]byte(text), &config); err != nil {
		return Protocol{}, err
	}
	if config.Patches == nil {
		return Protocol{}, fmt.Errorf("config is not of the patch benchmark: no key patches")
	}
	return *config.Patches, nil
}
