package report

import (
	"regexp"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// Spelled returns a metric as papers write it, for captions and for the titles of
// Markdown and LaTeX: mean AP by scene, MMA@3, ROC AUC.
func Spelled(metric string) string {
	if _, d, _ := catalogue.Lookup(metric); d.Paper != "" {
		return d.Paper
	}
	if strings.HasPrefix(metric, store.PatchPrefix) {
		text := poolSize.ReplaceAllString(PatchTitle(metric), "$1, pool of $2")
		if before, after, found := strings.Cut(text, " mean"); found {
			too := map[string]string{"verification": " and kinds of negatives", "retrieval": " and pool sizes"}
			text = before + after + ", mean over noise levels" + too[before]
		}
		return "patch " + text
	}
	words := strings.Split(strings.ReplaceAll(metric, "_at_", "@"), "_")
	for i, word := range words {
		stem, k, numbered := strings.Cut(word, "@")
		if proper, is := properSpelling[stem]; is {
			words[i] = proper
			if numbered {
				words[i] += "@" + k
			}
		}
	}
	return strings.Join(words, " ")
}

var poolSize = regexp.MustCompile(`(mAP) (\d+)`)

// properSpelling holds the words of metrics that are not written in small letters.
var properSpelling = map[string]string{
	"ap": "AP", "auc": "AUC", "bojanic": "Bojanić", "eer": "EER", "f1": "F1", "fpr95": "FPR95", "j": "J", "magsac": "MAGSAC++",
	"map": "mAP", "matthews": "Matthews", "mma": "MMA", "mrr": "MRR", "pr": "PR", "ransac": "RANSAC", "roc": "ROC", "youden": "Youden",
}

// spelledWithUnit is Spelled with the unit of the values.
func spelledWithUnit(metric string) string {
	switch UnitOf(metric) {
	case table.Share:
		return Spelled(metric) + " (%)"
	case table.Pixels:
		return Spelled(metric) + " (px)"
	}
	return Spelled(metric)
}

// shortWithUnit returns the name of a metric in tables and --metric, with its unit.
func shortWithUnit(metric string) string {
	return catalogue.Short(metric) + strings.TrimPrefix(spelledWithUnit(metric), Spelled(metric))
}

// ScopeWords names the scenes and pairs of a scope.
func ScopeWords(name string) string {
	switch name {
	case scope.All, scope.Viewpoint, scope.Illumination:
		return name + " scenes"
	}
	if k, byImage := strings.CutPrefix(name, "k:"); byImage {
		return "image pairs 1_" + k
	}
	return strings.Replace(name, ":", " ", 1)
}
