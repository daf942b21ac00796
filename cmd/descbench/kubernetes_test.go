package main

import (
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"descbench/eval/must"
	"descbench/pipeline/plan"
)

// A kubeJob has those fields of a Job of Kubernetes (batch/v1) that the file may use.
type kubeJob struct {
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

type kubeMetadata struct {
	Name   string
	Labels map[string]string
}

type kubePod struct {
	RestartPolicy                string          `yaml:"restartPolicy"`
	AutomountServiceAccountToken *bool           `yaml:"automountServiceAccountToken"`
	SecurityContext              map[string]any  `yaml:"securityContext"`
	InitContainers               []kubeContainer `yaml:"initContainers"`
	Containers                   []kubeContainer
	Volumes                      []map[string]any
}

type kubeContainer struct {
	Name, Image     string
	Args            []string
	Resources       struct{ Requests, Limits map[string]string }
	SecurityContext map[string]any      `yaml:"securityContext"`
	VolumeMounts    []map[string]string `yaml:"volumeMounts"`
}

func TestTheKubernetesManifestsAreJobsThatRunDescbench(t *testing.T) {
	_, user, _ := strings.Cut(read(t, filepath.Join(checkout, "Dockerfile")), "\nUSER ")
	user, _, _ = strings.Cut(user, "\n")
	decoder := yaml.NewDecoder(strings.NewReader(read(t, filepath.Join(checkout, "configs", "kubernetes", "job.yaml"))))
	decoder.KnownFields(true)
	var verbs []string
	var first *kubeContainer
	for {
		var job kubeJob
		if err := decoder.Decode(&job); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pod := job.Spec.Template.Spec
		pod.Containers, pod.InitContainers = append(pod.InitContainers, pod.Containers...), nil
		checkSecurity(t, pod, user)
		for _, c := range pod.Containers {
			found, err := commandOf(c.Args)
			if err != nil {
				t.Errorf("%v: %v", c.Args, err)
				continue
			}
			if verbs = append(verbs, found.Name()); found.Name() == "run" {
				checkShards(t, job, found.Flags().Lookup("shard").Value.String())
			}
			if first == nil {
				first = &c
			} else if !reflect.DeepEqual(c.Resources, first.Resources) || c.Image != first.Image {
				t.Errorf("container %s has %v and image %s, want those of %s: %v, %s", c.Name, c.Resources, c.Image, first.Name, first.Resources, first.Image)
			}
		}
	}
	if want := []string{"run", "fold", "report"}; !slices.Equal(verbs, want) {
		t.Errorf("the jobs run %v, want %v", verbs, want)
	}
}

// checkSecurity wants what the standard "restricted" of Kubernetes asks for
// (kubernetes.io/docs/concepts/security/pod-security-standards), a group that can write to a
// fresh volume as the image's user, no token, and an image that does not change.
func checkSecurity(t *testing.T, pod kubePod, user string) {
	var want kubePod
	err := yaml.Unmarshal([]byte(`
restartPolicy: OnFailure
automountServiceAccountToken: false
securityContext: {runAsNonRoot: true, fsGroup: `+user+`, fsGroupChangePolicy: OnRootMismatch, seccompProfile: {type: RuntimeDefault}}
containers: [{securityContext: {readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]
`), &want)
	must.Do(t, err)
	for _, c := range pod.Containers {
		if _, tag, tagged := strings.Cut(c.Image, ":"); !tagged || tag == "latest" {
			t.Errorf("container %s: the image is %s, want a tag of one's own", c.Name, c.Image)
		}
		if c.Resources.Limits["memory"] == "" {
			t.Errorf("container %s has no limit of memory", c.Name)
		}
		if !reflect.DeepEqual(c.SecurityContext, want.Containers[0].SecurityContext) {
			t.Errorf("container %s has the security context %v, want %v", c.Name, c.SecurityContext, want.Containers[0].SecurityContext)
		}
	}
	pod.Containers, pod.Volumes, want.Containers = nil, nil, nil
	if !reflect.DeepEqual(pod, want) {
		t.Errorf("found the pod %+v, want %+v", pod, want)
	}
}

// checkShards wants that each index of an Indexed Job is one shard.
func checkShards(t *testing.T, job kubeJob, flag string) {
	if job.Spec.CompletionMode != "Indexed" || job.Spec.Completions < 1 || job.Spec.Parallelism > job.Spec.Completions {
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
