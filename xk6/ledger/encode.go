package ledger

import (
	"maps"
	"slices"
)

// The lines and their parts, field by field in the order of lines.go; a test holds them against encoding/json.

func (e *encoder) header(l *Header) {
	e.raw(`{"schema":`)
	e.string(l.Schema)
	e.raw(`,"run_id":`)
	e.string(l.RunID)
	e.raw(`,"instance":`)
	e.string(l.Instance)
	e.raw(`,"file":`)
	e.integer(int64(l.File))
	e.raw(`,"segment":`)
	e.stringOrNull(l.Segment)
	e.raw(`,"seed":`)
	e.integerOrNull(l.Seed)
	e.raw(`,"clock":`)
	e.clock(&l.Clock)
	e.raw(`,"plan_hash":`)
	e.stringOrNull(l.PlanHash)
	e.raw(`,"key_fp":`)
	e.stringOrNull(l.KeyFP)
	e.raw(`,"cores":`)
	e.countOrNull(l.Cores)
	e.raw(`,"versions":`)
	e.versions(&l.Versions)
	e.raw("}\n")
}

func (e *encoder) clock(c *Clock) {
	e.raw(`{"wall":`)
	e.string(c.Wall)
	e.raw(`,"mono_ms":`)
	e.float(c.MonoMS)
	e.raw("}")
}

func (e *encoder) versions(v *Versions) {
	e.raw(`{"weighbridge":`)
	e.string(v.Weighbridge)
	e.raw(`,"k6":`)
	e.string(v.K6)
	e.raw(`,"go":`)
	e.string(v.Go)
	e.raw("}")
}

func (e *encoder) units(u *Units) {
	if u == nil {
		e.raw("null")
		return
	}
	e.raw(`{"images":`)
	e.integerOrNull(u.Images)
	e.raw(`,"size":`)
	e.stringOrNull(u.Size)
	e.raw(`,"quality":`)
	e.stringOrNull(u.Quality)
	e.raw(`,"seconds":`)
	e.floatOrNull(u.Seconds)
	e.raw(`,"resolution":`)
	e.stringOrNull(u.Resolution)
	e.raw("}")
}

func (e *encoder) intent(l *Intent) {
	e.raw(`{"schema":`)
	e.string(l.Schema)
	e.raw(`,"run_id":`)
	e.string(l.RunID)
	e.raw(`,"instance":`)
	e.string(l.Instance)
	e.raw(`,"call_id":`)
	e.string(l.CallID)
	e.raw(`,"logical_id":`)
	e.string(l.LogicalID)
	e.raw(`,"attempt":`)
	e.integer(int64(l.Attempt))
	e.raw(`,"kind":`)
	e.string(l.Kind)
	e.raw(`,"model":`)
	e.string(l.Model)
	e.raw(`,"key_fp":`)
	e.stringOrNull(l.KeyFP)
	e.raw(`,"at":`)
	e.string(l.At)
	e.raw(`,"worst_case_usd":`)
	e.stringOrNull(l.WorstCaseUSD)
	e.raw(`,"prompt_bytes":`)
	e.integer(l.PromptBytes)
	e.raw(`,"max_tokens":`)
	e.integerOrNull(l.MaxTokens)
	e.raw(`,"units":`)
	e.units(l.Units)
	e.raw(`,"watermark":`)
	e.integerOrNull(l.Watermark)
	e.raw("}\n")
}

func (e *encoder) scenario(s *ScenarioState) {
	e.raw(`{"scenario":`)
	e.string(s.Scenario)
	e.raw(`,"planned":`)
	e.integer(s.Planned)
	e.raw(`,"started":`)
	e.integer(s.Started)
	e.raw(`,"dropped":`)
	e.integer(s.Dropped)
	e.raw(`,"held":`)
	e.integer(s.Held)
	e.raw(`,"in_flight":`)
	e.integer(s.InFlight)
	e.raw(`,"finished":`)
	e.integer(s.Finished)
	e.raw(`,"ok":`)
	e.integer(s.OK)
	e.raw(`,"not_sent":`)
	e.integer(s.NotSent)
	e.raw(`,"aborted":`)
	e.integer(s.Aborted)
	e.raw(`,"retried":`)
	e.integer(s.Retried)
	e.raw(`,"measured":`)
	e.phase(&s.Measured)
	e.raw("}")
}

func (e *encoder) phase(c *PhaseCounts) {
	e.raw(`{"planned":`)
	e.integer(c.Planned)
	e.raw(`,"started":`)
	e.integer(c.Started)
	e.raw(`,"dropped":`)
	e.integer(c.Dropped)
	e.raw(`,"held":`)
	e.integer(c.Held)
	e.raw("}")
}

func (e *encoder) state(l *State) {
	e.raw(`{"schema":`)
	e.string(l.Schema)
	e.raw(`,"run_id":`)
	e.string(l.RunID)
	e.raw(`,"instance":`)
	e.string(l.Instance)
	e.raw(`,"at":`)
	e.string(l.At)
	e.raw(`,"elapsed_ms":`)
	e.float(l.ElapsedMS)
	e.raw(`,"scenarios":`)
	e.scenarios(l.Scenarios)
	e.raw(`,"sched_lag_ms":`)
	e.float(l.SchedLagMS)
	e.raw(`,"cpu":`)
	e.float(l.CPU)
	e.raw(`,"gc_ms":`)
	e.float(l.GCMS)
	e.raw(`,"open_files":`)
	e.countOrNull(l.OpenFiles)
	e.raw(`,"open_files_limit":`)
	e.integerOrNull(l.OpenFilesLimit)
	e.raw(`,"timer_lag_ms":`)
	e.float(l.TimerLagMS)
	e.raw(`,"run_queue_p99_ms":`)
	e.floatOrNull(l.RunQueueP99MS)
	e.raw(`,"rss_bytes":`)
	e.integerOrNull(l.RSSBytes)
	e.raw(`,"rows_lost":`)
	e.integer(l.RowsLost)
	e.raw(`,"reserved_usd":`)
	e.stringOrNull(l.ReservedUSD)
	e.raw(`,"began_at":`)
	e.stringOrNull(l.BeganAt)
	e.raw(`,"halted":`)
	e.stringOrNull(l.Halted)
	e.raw(`,"halted_at":`)
	e.stringOrNull(l.HaltedAt)
	e.raw(`,"final":`)
	e.boolean(l.Final)
	e.raw("}\n")
}

func (e *encoder) usage(u *Usage) {
	if u == nil {
		e.raw("null")
		return
	}
	e.raw(`{"input":`)
	e.integerOrNull(u.Input)
	e.raw(`,"output":`)
	e.integerOrNull(u.Output)
	e.raw(`,"cache_read":`)
	e.integerOrNull(u.CacheRead)
	e.raw(`,"cache_write":`)
	e.integerOrNull(u.CacheWrite)
	e.raw(`,"reasoning":`)
	e.integerOrNull(u.Reasoning)
	e.raw(`,"raw":`)
	e.json(u.Raw)
	e.raw("}")
}

// counts writes a map in the order of its keys, so that equal rows have equal bytes.
func (e *encoder) counts(of map[string]int) {
	if of == nil {
		e.raw("null")
		return
	}
	e.raw("{")
	for i, name := range slices.Sorted(maps.Keys(of)) {
		if i > 0 {
			e.raw(",")
		}
		e.string(name)
		e.raw(":")
		e.integer(int64(of[name]))
	}
	e.raw("}")
}

func (e *encoder) job(j *Job) {
	if j == nil {
		e.raw("null")
		return
	}
	e.raw(`{"id":`)
	e.stringOrNull(j.ID)
	e.raw(`,"statuses":`)
	e.strings(j.Statuses)
	e.raw(`,"queue_ms":`)
	e.floatOrNull(j.QueueMS)
	e.raw(`,"run_ms":`)
	e.floatOrNull(j.RunMS)
	e.raw(`,"polls":`)
	e.integer(int64(j.Polls))
	e.raw("}")
}

func (e *encoder) row(l *Row) {
	e.raw(`{"schema":`)
	e.string(l.Schema)
	e.raw(`,"run_id":`)
	e.string(l.RunID)
	e.raw(`,"instance":`)
	e.string(l.Instance)
	e.raw(`,"call_id":`)
	e.string(l.CallID)
	e.raw(`,"logical_id":`)
	e.string(l.LogicalID)
	e.raw(`,"attempt":`)
	e.integer(int64(l.Attempt))
	e.raw(`,"scenario":`)
	e.string(l.Scenario)
	e.raw(`,"phase":`)
	e.string(l.Phase)
	e.raw(`,"iteration":`)
	e.integerOrNull(l.Iteration)
	e.raw(`,"turn":`)
	e.countOrNull(l.Turn)
	e.raw(`,"kind":`)
	e.string(l.Kind)
	e.raw(`,"method":`)
	e.string(l.Method)
	e.raw(`,"path":`)
	e.string(l.Path)
	e.raw(`,"stream":`)
	e.boolean(l.Stream)
	e.raw(`,"model":`)
	e.stringOrNull(l.Model)
	e.raw(`,"key_fp":`)
	e.stringOrNull(l.KeyFP)
	e.raw(`,"planned_at":`)
	e.stringOrNull(l.PlannedAt)
	e.raw(`,"started_at":`)
	e.string(l.StartedAt)
	e.raw(`,"wrote_ms":`)
	e.floatOrNull(l.WroteMS)
	e.raw(`,"headers_ms":`)
	e.floatOrNull(l.HeadersMS)
	e.raw(`,"first_event_ms":`)
	e.floatOrNull(l.FirstEventMS)
	e.raw(`,"ttft_ms":`)
	e.floatOrNull(l.TTFTMS)
	e.raw(`,"ttfo_ms":`)
	e.floatOrNull(l.TTFOMS)
	e.raw(`,"end_ms":`)
	e.float(l.EndMS)
	e.raw(`,"schedule_lag_ms":`)
	e.floatOrNull(l.ScheduleLagMS)
	e.raw(`,"itl":`)
	e.histogram(l.ITL)
	e.raw(`,"max_gap_ms":`)
	e.floatOrNull(l.MaxGapMS)
	e.raw(`,"events":`)
	e.countOrNull(l.Events)
	e.raw(`,"chunks":`)
	e.countOrNull(l.Chunks)
	e.raw(`,"out_chars":`)
	e.countOrNull(l.OutChars)
	e.raw(`,"text_sha256":`)
	e.stringOrNull(l.TextSHA256)
	e.raw(`,"text_ref":`)
	e.stringOrNull(l.TextRef)
	e.raw(`,"status":`)
	e.countOrNull(l.Status)
	e.raw(`,"outcome":`)
	e.string(l.Outcome)
	e.raw(`,"error_type":`)
	e.string(l.ErrorType)
	e.raw(`,"blame":`)
	e.string(l.Blame)
	e.raw(`,"error_code":`)
	e.stringOrNull(l.ErrorCode)
	e.raw(`,"api_error_type":`)
	e.stringOrNull(l.APIErrorType)
	e.raw(`,"error_message":`)
	e.stringOrNull(l.ErrorMessage)
	e.raw(`,"request_id":`)
	e.stringOrNull(l.RequestID)
	e.raw(`,"request_ids":`)
	e.strings(l.RequestIDs)
	e.raw(`,"response_id":`)
	e.stringOrNull(l.ResponseID)
	e.raw(`,"response_model":`)
	e.stringOrNull(l.ResponseModel)
	e.raw(`,"service_tier":`)
	e.stringOrNull(l.ServiceTier)
	e.raw(`,"retry_after_s":`)
	e.floatOrNull(l.RetryAfterS)
	e.raw(`,"finish":`)
	e.stringOrNull(l.Finish)
	e.raw(`,"terminal_seen":`)
	e.booleanOrNull(l.TerminalSeen)
	e.raw(`,"usage":`)
	e.usage(l.Usage)
	e.raw(`,"units":`)
	e.units(l.Units)
	e.raw(`,"tools":`)
	e.counts(l.Tools)
	e.raw(`,"max_tokens":`)
	e.integerOrNull(l.MaxTokens)
	e.raw(`,"prompt_bytes":`)
	e.integerOrNull(l.PromptBytes)
	e.raw(`,"watermark":`)
	e.integerOrNull(l.Watermark)
	e.raw(`,"job":`)
	e.job(l.Job)
	e.raw(`,"worst_case_usd":`)
	e.stringOrNull(l.WorstCaseUSD)
	e.raw(`,"bytes_in":`)
	e.integerOrNull(l.BytesIn)
	e.raw(`,"bytes_out":`)
	e.integerOrNull(l.BytesOut)
	e.raw(`,"conn_reused":`)
	e.booleanOrNull(l.ConnReused)
	e.raw(`,"proto":`)
	e.stringOrNull(l.Proto)
	e.raw("}\n")
}

func (e *encoder) scenarios(list []ScenarioState) {
	if list == nil {
		e.raw("null")
		return
	}
	e.raw("[")
	for i := range list {
		if i > 0 {
			e.raw(",")
		}
		e.scenario(&list[i])
	}
	e.raw("]")
}

func (e *encoder) histogram(pairs [][2]float64) {
	if pairs == nil {
		e.raw("null")
		return
	}
	e.raw("[")
	for i, pair := range pairs {
		if i > 0 {
			e.raw(",")
		}
		e.raw("[")
		e.float(pair[0])
		e.raw(",")
		e.float(pair[1])
		e.raw("]")
	}
	e.raw("]")
}
