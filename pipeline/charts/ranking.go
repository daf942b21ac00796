package charts

import (
	"context"
	"fmt"
	"math"

	"descbench/eval/scope"
	"descbench/pipeline/report/figure"
)

type builder = func(ctx context.Context, d *data) (figure.Drawing, string, error)

// mapOf maps scopes to the metric that is the mean of mAP over their scenes, in
// scope "all".
var mapOf = map[string]string{scope.All: mAP, scope.Viewpoint: "viewpoint_map", scope.Illumination: "illumination_map"}

// mapBars returns the builder of the bars of mAP in a scope.
func mapBars(in string) builder {
	return func(_ context.Context, d *data) (figure.Drawing, string, error) {
		b := d.bars("mAP, mean over scenes", scope.All, mapOf[in])
		if len(b.Bars) == 0 {
			return nil, "", missing(fmt.Sprintf("no %s scenes", in))
		}
		return b, d.caption(in, "Mean average precision of ranking all candidates by descriptor distance, mean over scenes.", intervals), nil
	}
}

// bars returns bars of a share, in the order of the systems.
func (d *data) bars(label, in, metric string) *figure.Bars {
	b := &figure.Bars{X: figure.Share(label)}
	for _, s := range d.systems {
		v := s.value(in, metric)
		if math.IsNaN(v) {
			continue
		}
		b.Bars = append(b.Bars, figure.Bar{Name: s.Name, System: s.Index, Value: v, Interval: s.interval(in, metric)})
	}
	return b
}
