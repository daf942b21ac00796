package compare

import (
	"math"
	"testing"

	"descbench/eval/catalogue"
)

var higher, lower = catalogue.Of(catalogue.MAP), catalogue.Of("localization_error")

// setting returns a setting with values of scenes a, b and c.
func setting(name string, values ...float64) Setting {
	d := &Descriptor{Scenes: make(map[string]SceneValue)}
	for i, v := range values {
		d.Scenes[string(rune('a'+i))] = SceneValue{Value: v, N: 1}
	}
	return Setting{Descriptor: name, values: d}
}

// Worked out by hand: without a, y is the best (.5 and .6 against .4 and .5), without b
// it is x (.9, .5 against .2, .6), without c it is x too; so a is worth .2 by y, b .4 by
// x and c .5 by x. Chosen on all scenes, x has the maximum .6.
func TestASettingIsChosenOnTheOtherScenes(t *testing.T) {
	m := Method{Settings: []Setting{setting("sift-y", .2, .5, .6), setting("sift-x", .9, .4, .5)}}
	m.choose(higher)
	if m.Name != "sift" || m.Settings[0].Descriptor != "sift-x" || m.Scenes != 3 || m.Chosen != 2 {
		t.Errorf("got %+v", m)
	}
	if got, want := m.Honest, (.2+.4+.5)/3; math.Abs(got-want) > 1e-12 {
		t.Errorf("chosen on the other scenes %v, want %v", got, want)
	}
	if got := m.Settings[0].Value; math.Abs(got-.6) > 1e-12 {
		t.Errorf("best of all %v, want .6", got)
	}
}

func TestTheLowestErrorIsTheBest(t *testing.T) {
	m := Method{Settings: []Setting{setting("b", 3, 3, 3), setting("a", 2, 2, 2)}}
	m.choose(lower)
	if m.Settings[0].Descriptor != "a" || m.Honest != 2 || m.Name != "b" {
		t.Errorf("got %+v", m)
	}
	// Nothing to choose: the price is 0.
	one := Method{Settings: []Setting{setting("a", .25, .5, .75)}}
	one.choose(higher)
	if one.Honest != one.Settings[0].Value || one.Honest != .5 {
		t.Errorf("got %+v", one)
	}
	// Of two scenes, each is worth the setting that is the best in the other one: a by y
	// (.5 against .4), b by x (.9 against .2).
	two := Method{Settings: []Setting{setting("x", .9, .4), setting("y", .2, .5)}}
	if two.choose(higher); two.Scenes != 2 || !(math.Abs(two.Honest-(.2+.4)/2) <= 1e-12) {
		t.Errorf("got %+v", two)
	}
	// A scene in which a setting has no value counts for none.
	delete(m.Settings[0].values.Scenes, "a")
	delete(m.Settings[0].values.Scenes, "b")
	m.choose(lower)
	if m.Scenes != 1 || !math.IsNaN(m.Honest) {
		t.Errorf("got %+v", m)
	}
}

// Of 1, 2, 3, 4 and 10, the median is 3; with the first scene twice, it is 2.
func TestAMedianIsThatOfThePairsOfAllScenes(t *testing.T) {
	d := &Descriptor{Scenes: map[string]SceneValue{"a": {Value: 1.5, Pairs: []float64{1, 2}}, "b": {Value: 4, Pairs: []float64{3, 4, 10}}}, Pooled: 3}
	metric := catalogue.Of("symmetric_precision_median@3")
	if twice := d.pooled(metric, []string{"a", "b"})([]uint8{2, 1}); !d.canPool(metric) || twice != 2 {
		t.Errorf("got %v with the first scene twice", twice)
	}
}

// Worked out by hand, limit 10. Group g: x has errors 0 and 8, AUC (8·(½+1)/2 + 2)/10 = .8, y
// 2 and 2, (2·½/2 + 8)/10 = .85. Group h: x has 4 and 4, (4·½/2 + 6)/10 = .7, y 9 and 9,
// (9·½/2 + 1)/10 = .325. So h chooses x for g, and g chooses y for h: 0, 8, 9, 9 is
// (8·(¼+½)/2 + 1·(½+¾)/2 + 1)/10 = .4625. All by x, 0, 4, 4, 8: (4·(¼+½)/2 + 4·(¾+1)/2 + 2)/10 = .7; by
// y, 2, 2, 9, 9: (2·¼/2 + 7·(½+¾)/2 + 1)/10 = .5625.
func TestASettingIsChosenByThePooledValueOnTheOtherGroups(t *testing.T) {
	at := func(name string, pooled float64, errors ...float64) Setting {
		d := &Descriptor{Scenes: make(map[string]SceneValue), Pooled: pooled}
		for i, scene := range []string{"g/a-b", "g/a-c", "h/a-b", "h/a-c"} {
			alone := max(0, 1-errors[i]/20) // the AUC of one pair
			d.Scenes[scene] = SceneValue{Value: alone, N: 1, Pairs: []float64{alone}}
		}
		return Setting{Descriptor: name, values: d}
	}
	m := Method{Settings: []Setting{at("x", .7, 0, 8, 4, 4), at("y", .5625, 2, 2, 9, 9)}}
	m.choose(catalogue.Of("essential_pose_auc@10"))
	if m.Settings[0].Descriptor != "x" || math.Abs(m.Settings[0].Value-.7) > 1e-12 || math.Abs(m.Honest-.4625) > 1e-12 ||
		m.Scenes != 4 || m.Groups != 2 || m.Chosen != 2 || m.Means {
		t.Errorf("got %+v", m)
	}
}
