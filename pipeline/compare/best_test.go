package compare

import (
	"math"
	"testing"
)

func setting(name string, a, b, c float64) Setting {
	return Setting{Descriptor: name, scenes: map[string]float64{"a": a, "b": b, "c": c}}
}

// Worked out by hand: without a, y is the best (.5 and .6 against .4 and .5), without b
// it is x (.9, .5 against .2, .6), without c it is x too; so a is worth .2 by y, b .4 by
// x and c .5 by x. Chosen on all scenes, x has the maximum .6.
func TestASettingIsChosenOnTheOtherScenes(t *testing.T) {
	m := Method{Settings: []Setting{setting("sift-y", .2, .5, .6), setting("sift-x", .9, .4, .5)}}
	m.choose(false)
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
	m.choose(true)
	if m.Settings[0].Descriptor != "a" || m.Honest != 2 || m.Name != "b" {
		t.Errorf("got %+v", m)
	}
	// Nothing to choose: the price is 0.
	one := Method{Settings: []Setting{setting("a", .25, .5, .75)}}
	one.choose(false)
	if one.Honest != one.Settings[0].Value || one.Honest != .5 {
		t.Errorf("got %+v", one)
	}
	// Of two scenes, each is worth the setting that is the best in the other one: a by y
	// (.5 against .4), b by x (.9 against .2).
	two := Method{Settings: []Setting{setting("x", .9, .4, 0), setting("y", .2, .5, 0)}}
	for _, s := range two.Settings {
		delete(s.scenes, "c")
	}
	if two.choose(false); two.Scenes != 2 || !(math.Abs(two.Honest-(.2+.4)/2) <= 1e-12) {
		t.Errorf("got %+v", two)
	}
	// A scene in which a setting has no value counts for none.
	delete(m.Settings[0].scenes, "a")
	delete(m.Settings[0].scenes, "b")
	m.choose(true)
	if m.Scenes != 1 || !math.IsNaN(m.Honest) {
		t.Errorf("got %+v", m)
	}
}
