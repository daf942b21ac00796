package store

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"descbench/eval/must"
)

const sampleSummary = `{
  "experiment": "variants-more",
  "protocol": {
    "tolerance_px": 3,
    "ties": "mean",
    "relevance": "nearest",
    "cutoffs": [
      1,
      10
    ],
    "exclude_invalid": true,
    "exclude_invalid_truths": false,
    "exclude_beyond_px": 2000
  },
  "scenes_requested": 3,
  "scenes_evaluated": 1,
  "failed_scenes": {
    "i_b": [
      {
        "descriptors": [
          "root/sift"
        ],
        "reason": "no memory"
      }
    ],
    "v_c": [
      {
        "descriptors": [
          "sift",
          "root/sift"
        ],
        "reason": "H_1_3: line 2: want 3 numbers, found 2"
      }
    ]
  },
  "warnings": [
    {
      "kind": "few-scenes",
      "numbers": {
        "n": 2
      },
      "text": "2 scenes: too few for a significance test"
    },
    {
      "kind": "few-queries",
      "descriptor": "sift",
      "scenes": [
        "i_b"
      ],
      "numbers": {
        "n": 0,
        "of": 7
      },
      "text": "i_b: few queries with a ground truth: 0 of 7, so that it is not in map"
    }
  ],
  "descriptors": [
    {
      "name": "sift",
      "dimension": 128,
      "metrics": {
        "true_map_micro": 0.625,
        "true_map_macro_by_scene": 0.625,
        "viewpoint_map": 0.625,
        "mean_precision": 0.375,
        "precision_at_1": 0.5,
        "precision_at_10": 1,
        "recall_at_1": 0.5,
        "recall_at_10": 1,
        "coverage": 0.8,
        "total_queries_processed": 8,
        "total_queries_excluded": 2,
        "mean_gallery_size": 12.5
      },
      "intervals": {
        "true_map_micro": [
          0.5,
          0.75
        ]
      },
      "rank_histogram": [
        4,
        0,
        4
      ],
      "scenes": {
        "i_b": {
          "true_map_including_zeros": 0,
          "queries_processed": 0,
          "queries_excluded": 1,
          "matches": 0,
          "keypoints": 7,
          "images": 6
        },
        "v_a": {
          "true_map": 0.625,
          "true_map_including_zeros": 0.5555555555555556,
          "precision": 0.375,
          "queries_processed": 8,
          "queries_excluded": 1,
          "matches": 9,
          "keypoints": 60,
          "images": 6
        }
      }
    },
    {
      "name": "root/sift",
      "dimension": 128,
      "metrics": {},
      "intervals": {},
      "rank_histogram": [],
      "scenes": {
        "v_a": {
          "queries_processed": 0,
          "queries_excluded": 0,
          "matches": 0,
          "keypoints": 0,
          "images": 6
        }
      }
    }
  ]
}
`

func TestTheSummaryHasFixedKeysAndLeavesOutWhatIsUndefined(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary.json")
	s := NewSummary(sampleRun())
	must.Do(t, WriteSummary(path, s))
	wantText(t, path, sampleSummary)
	summed(t, path)
	got := must.Get(ReadSummary(path))(t)
	if !reflect.DeepEqual(got, s) {
		t.Errorf("read back: got %+v, want %+v", got, s)
	}
}

func TestTheSummaryOfNothingHasNoNull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary.json")
	s := NewSummary(Run{Experiment: "none"})
	must.Do(t, WriteSummary(path, s))
	b := must.Get(os.ReadFile(path))(t)
	if strings.Contains(string(b), "null") {
		t.Errorf("got %s", b)
	}
	summed(t, path)
	if _, err := ReadSummary(path); err != nil {
		t.Errorf("read back: %v", err)
	}
}

func TestAFileThatIsNoSummaryIsRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{", "unexpected end of JSON input"},
		{"{}", "want the summary of a run"},
		{`{"experiment": "x", "descriptors": [{"metrics": {"coverage": null}}]}`, "coverage: want a number"},
		{`{"experiment": "x", "descriptors": [{"metrics": []}]}`, "want an object of numbers"},
		{`{"experiment": "x", "descriptors": [], "failed_scenes": {"v_a": []}}`, "found no reason for v_a"},
	} {
		path := filepath.Join(t.TempDir(), "summary.json")
		writeText(t, path, c.text)
		summed(t, path)
		if _, err := ReadSummary(path); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got error %v, want %q about %s", c.text, err, c.want, path)
		}
	}
}
