package main

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"

	"descbench/pipeline/plan"
)

// The part of the Kubernetes API (batch/v1, Kubernetes 1.24 or later, where Indexed
// Jobs are stable) that the manifests use. Decoding is strict: fields of other names
// or types are errors, as they are to kubectl --validate=strict.
type (
	kubeJob struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   kubeMetadata
		Spec       struct {
			CompletionMode string `yaml:"completionMode"`
			Completions    int
			Parallelism    int
			BackoffLimit   int `yaml:"backoffLimit"`
			Template       struct {
				Metadata kubeMetadata
				Spec     kubePod
			}
		}
	}
	kubeMetadata struct {
		Name   string
		Labels map[string]string
	}
	kubePod struct {
		RestartPolicy  string          `yaml:"restartPolicy"`
		InitContainers []kubeContainer `yaml:"initContainers"`
		Containers     []kubeContainer
		Volumes        []struct {
			Name                  string
			PersistentVolumeClaim *struct {
				ClaimName string `yaml:"claimName"`
			} `yaml:"persistentVolumeClaim"`
			EmptyDir *struct{} `yaml:"emptyDir"`
		}
	}
	kubeContainer struct {
		Name, Image     string
		Args            []string
		Resources       struct{ Requests, Limits map[string]string }
		SecurityContext *struct {
			RunAsNonRoot             bool `yaml:"runAsNonRoot"`
			ReadOnlyRootFilesystem   bool `yaml:"readOnlyRootFilesystem"`
			AllowPrivilegeEscalation bool `yaml:"allowPrivilegeEscalation"`
		} `yaml:"securityContext"`
		VolumeMounts []struct {
			Name      string
			MountPath string `yaml:"mountPath"`
		} `yaml:"volumeMounts"`
	}
)

func TestTheKubernetesManifestsAreJobsThatRunDescbench(t *testing.T) {
	text := read(t, filepath.Join("..", "..", "configs", "kubernetes", "job.yaml"))
	decoder := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.KnownFields(true)
	var verbs []string
	for {
		var job kubeJob
		if err := decoder.Decode(&job); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		verbs = append(verbs, checkJob(t, job)...)
	}
	if want := []string{"run", "fold", "report"}; !slices.Equal(verbs, want) {
		t.Errorf("the jobs run %v, want %v", verbs, want)
	}
}

// checkJob checks the fields that the API requires and returns the verbs of the
// commands that the job runs.
func checkJob(t *testing.T, job kubeJob) (verbs []string) {
	name := regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`) // RFC 1123 label
	quantity := regexp.MustCompile(`^[0-9]+(\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$`)
	pod := job.Spec.Template.Spec
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || !name.MatchString(job.Metadata.Name) {
		t.Errorf("found %s, %s, name %q, want a Job of batch/v1 with a name", job.APIVersion, job.Kind, job.Metadata.Name)
	}
	if pod.RestartPolicy != "Never" && pod.RestartPolicy != "OnFailure" { // those that a Job may have
		t.Errorf("%s: restartPolicy %q", job.Metadata.Name, pod.RestartPolicy)
	}
	volumes := make(map[string]bool)
	for _, v := range pod.Volumes {
		volumes[v.Name] = (v.PersistentVolumeClaim != nil) != (v.EmptyDir != nil)
	}
	if len(pod.Containers) == 0 {
		t.Errorf("%s: no containers", job.Metadata.Name)
	}
	for _, c := range append(pod.InitContainers, pod.Containers...) {
		if !name.MatchString(c.Name) || c.Image == "" || len(c.Args) == 0 {
			t.Errorf("%s: container %+v, want a name, an image and arguments", job.Metadata.Name, c)
			continue
		}
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] || !filepath.IsAbs(m.MountPath) {
				t.Errorf("%s: mount %+v: no such volume, or no absolute path", c.Name, m)
			}
		}
		for _, amounts := range []map[string]string{c.Resources.Requests, c.Resources.Limits} {
			for kind, q := range amounts {
				if !quantity.MatchString(q) {
					t.Errorf("%s: %s: %q is not a quantity", c.Name, kind, q)
				}
			}
		}
		found, err := commandOf(c.Args)
		if err != nil {
			t.Errorf("%s: %v: %v", c.Name, c.Args, err)
			continue
		}
		verbs = append(verbs, found.Name())
		if found.Name() == "run" {
			checkShards(t, job, found.Flags().Lookup("shard").Value.String())
		}
	}
	return verbs
}

// checkShards wants that each index of an Indexed Job is one shard.
func checkShards(t *testing.T, job kubeJob, flag string) {
	if job.Spec.CompletionMode != "Indexed" || job.Spec.Completions < 1 || job.Spec.Parallelism < 1 {
		t.Errorf("want an Indexed Job with completions and parallelism, found %+v", job.Spec)
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
