// Package plan reads what Go needs of plan.json (src/core/plan.ts): names, the spend cap and its price bounds.
package plan

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"

	"weighbridge.dev/xk6/spend"
)

// Schema is the version of plan.json this package reads.
const Schema = "weighbridge.plan/1"

// Plan is the part of plan.json that must not pass through JavaScript.
type Plan struct {
	Path     string
	RunID    string
	PlanHash string
	Seed     int64
	Nonce    string
	Root     string // of the target
	V1       string // of its calls: paths under /v1 stand under it
	NoBill   bool   // the target charges nothing, so that it may ask for no key
	// FinishEnds: a stream of chat without [DONE] is whole where it says why it stopped. A bill is held to the full ending.
	FinishEnds bool
	Headers    map[string]string // of every request to it: texts, env:NAME and file:PATH
	Caps       spend.Caps
	Bounds     map[spend.Key]spend.Bound
	Limits     Limits
	KeepText   bool // of answers
	Instances  int  // k6 that share it; 0 where the plan does not say
	Workload   Workload
}

type file struct {
	Schema   string `json:"schema"`
	RunID    string `json:"run_id"`
	PlanHash string `json:"plan_hash"`
	Nonce    string `json:"nonce"`
	Target   struct {
		Root      string            `json:"root"`
		V1        string            `json:"v1"`
		Headers   map[string]string `json:"headers"`
		Bill      string            `json:"bill"`
		StreamEnd string            `json:"stream_end"`
	} `json:"target"`
	Workload Workload `json:"workload"`
	Limits   Limits   `json:"limits"`
	KeepText bool     `json:"keep_text"`
	// Instances is left out where the plan does not say.
	Instances int `json:"instances"`
	Cap       struct {
		MaxSpendUSD *string           `json:"max_spend_usd"`
		ByScenario  map[string]string `json:"by_scenario"`
		ByModel     map[string]string `json:"by_model"`
		Bounds      []struct {
			Model           string `json:"model"`
			Kind            string `json:"kind"`
			PerInputToken   string `json:"per_input_token"`
			PerOutputToken  string `json:"per_output_token"`
			Fixed           string `json:"fixed"`
			MaxOutputTokens int64  `json:"max_output_tokens"`
			LimitObeyed     bool   `json:"limit_obeyed"`
		} `json:"bounds"`
	} `json:"cap"`
}

// Read loads a plan file; anything unexpected is an error, because a misread cap spends money.
func Read(path string) (*Plan, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("plan %s: %w", path, err)
	}
	if f.Schema != Schema {
		return nil, fmt.Errorf("plan %s: expected schema %q, found %q", path, Schema, f.Schema)
	}
	if f.RunID == "" {
		return nil, fmt.Errorf("plan %s: run_id is empty", path)
	}
	p := &Plan{Path: path, RunID: f.RunID, PlanHash: f.PlanHash, Seed: f.Workload.Seed, Nonce: f.Nonce, Root: f.Target.Root, V1: f.Target.V1, Headers: f.Target.Headers, NoBill: f.Target.Bill == "none",
		FinishEnds: f.Target.StreamEnd == "finish_reason" || f.Target.StreamEnd == "" && f.Target.Bill == "none",
		Bounds:     map[spend.Key]spend.Bound{}, Limits: f.Limits, KeepText: f.KeepText, Instances: f.Instances, Workload: f.Workload}
	if f.Cap.MaxSpendUSD != nil {
		if p.Caps.Run, err = spend.ParseUSD(*f.Cap.MaxSpendUSD); err != nil {
			return nil, fmt.Errorf("plan %s: cap.max_spend_usd: %w", path, err)
		}
	}
	if p.Caps.ByScenario, err = amounts(f.Cap.ByScenario); err != nil {
		return nil, fmt.Errorf("plan %s: cap.by_scenario.%w", path, err)
	}
	if p.Caps.ByModel, err = amounts(f.Cap.ByModel); err != nil {
		return nil, fmt.Errorf("plan %s: cap.by_model.%w", path, err)
	}
	for i, b := range f.Cap.Bounds {
		bound := spend.Bound{MaxOutputTokens: b.MaxOutputTokens, LimitObeyed: b.LimitObeyed}
		for name, field := range map[string]struct {
			text string
			into **big.Int
		}{
			"per_input_token":  {b.PerInputToken, &bound.PerInputToken},
			"per_output_token": {b.PerOutputToken, &bound.PerOutputToken},
			"fixed":            {b.Fixed, &bound.Fixed},
		} {
			value, ok := new(big.Int).SetString(field.text, 10)
			if !ok || value.Sign() < 0 {
				return nil, fmt.Errorf("plan %s: cap.bounds[%d].%s: expected a whole number of 10^-12 USD, found %q", path, i, name, field.text)
			}
			*field.into = value
		}
		if b.MaxOutputTokens < 0 {
			return nil, fmt.Errorf("plan %s: cap.bounds[%d].max_output_tokens is negative", path, i)
		}
		key := spend.Key{Model: b.Model, Kind: b.Kind}
		if _, twice := p.Bounds[key]; twice {
			return nil, fmt.Errorf("plan %s: cap.bounds names %s (%s) twice", path, b.Model, b.Kind)
		}
		p.Bounds[key] = bound
	}
	return p, nil
}

func amounts(texts map[string]string) (map[string]*big.Int, error) {
	parsed := make(map[string]*big.Int, len(texts))
	for name, text := range texts {
		amount, err := spend.ParseUSD(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		parsed[name] = amount
	}
	return parsed, nil
}
