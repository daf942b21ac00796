package store

import (
	"cmp"
	"context"

	"go.yaml.in/yaml/v3"
)

// rewriteProtocols brings the protocol of every run of sequences to the text of this
// program, because results are compared by it. A text of an older program may say
// less. A change of Protocol.String therefore needs a new schema version.
func rewriteProtocols(ctx context.Context, db executor) error {
	texts := make(map[int64]string)
	rows, err := db.QueryContext(ctx, "SELECT id, config FROM experiments WHERE kind = 'sequences'")
	if err != nil {
		return err
	}
	for rows.Next() {
		var id int64
		var config string
		if err := rows.Scan(&id, &config); err != nil {
			return cmp.Or(err, rows.Close())
		}
		if p, ok := protocolIn(config); ok {
			texts[id] = p.String()
		}
	}
	if err := cmp.Or(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for id, text := range texts {
		if _, err := db.ExecContext(ctx, "UPDATE experiments SET protocol = ? WHERE id = ?", text, id); err != nil {
			return err
		}
	}
	return nil
}

// protocolIn reads the protocol in an effective config, which has every key that its
// program knew. ok is false if the text is not one.
func protocolIn(config string) (p Protocol, ok bool) {
	var c struct {
		Evaluation struct {
			Preset               string
			TolerancePx          float64 `yaml:"tolerance_px"`
			Ties, Relevance      string
			ExcludeInvalid       bool    `yaml:"exclude_invalid"`
			ExcludeInvalidTruths *bool   `yaml:"exclude_invalid_truths"`
			ExcludeBeyondPx      float64 `yaml:"exclude_beyond_px"`
		}
	}
	if err := yaml.Unmarshal([]byte(config), &c); err != nil {
		return p, false
	}
	e := c.Evaluation
	truths := e.Preset == "" // before the key, presets looked at queries only
	if e.ExcludeInvalidTruths != nil {
		truths = *e.ExcludeInvalidTruths
	}
	return Protocol{
		TolerancePx: e.TolerancePx, Ties: e.Ties, Relevance: e.Relevance,
		ExcludeInvalid: e.ExcludeInvalid, ExcludeInvalidTruths: e.ExcludeInvalid && truths, ExcludeBeyondPx: e.ExcludeBeyondPx,
	}, e.TolerancePx > 0 && e.Ties != "" && e.Relevance != ""
}
