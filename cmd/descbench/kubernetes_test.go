package main

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"descbench/pipeline/plan"
)

// A kubeJob is what the test reads of a Job of Kubernetes (batch/v1).
type kubeJob struct {
	Spec struct {
		CompletionMode string `yaml:"completionMode"`
		Completions    int
		Template       struct {
			Spec struct {
				InitContainers []kubeContainer `yaml:"initContainers"`
				Containers     []kubeContainer
			}
		}
	}
}

type kubeContainer struct{ Args []string }

func TestTheKubernetesManifestsAreJobsThatRunDescbench(t *testing.T) {
	decoder := yaml.NewDecoder(strings.NewReader(read(t, filepath.Join(checkout, "configs", "kubernetes", "job.yaml"))))
	var verbs []string
	for {
		var job kubeJob
		if err := decoder.Decode(&job); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pod := job.Spec.Template.Spec
		for _, c := range append(pod.InitContainers, pod.Containers...) {
			found, err := commandOf(c.Args)
			if err != nil {
				t.Errorf("%v: %v", c.Args, err)
				continue
			}
			if verbs = append(verbs, found.Name()); found.Name() == "run" {
				checkShards(t, job, found.Flags().Lookup("shard").Value.String())
			}
		}
	}
	if want := []string{"run", "fold", "report"}; !slices.Equal(verbs, want) {
		t.Errorf("the jobs run %v, want %v", verbs, want)
	}
}

// checkShards wants that each index of an Indexed Job is one shard.
func checkShards(t *testing.T, job kubeJob, flag string) {
	if job.Spec.CompletionMode != "Indexed" || job.Spec.Completions < 1 {
		t.Errorf("want an Indexed Job with completions, found %+v", job.Spec)
	}
	for i := range job.Spec.Completions {
		shard, err := plan.ParseShard(flag, func(variable string) string {
			return map[string]string{"JOB_COMPLETION_INDEX": string(rune('0' + i))}[variable]
		})
		if want := (plan.Shard{Index: i + 1, Count: job.Spec.Completions}); err != nil || shard != want {
			t.Errorf("--shard %s at index %d: got %v, %v, want %v", flag, i, shard, err, want)
		}
	}
}
