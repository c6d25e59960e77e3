// A lean model gateway: one ledger in memory, money in whole nano-dollars, everything else derived from it.
package main
import (
	"cmp"; crand "crypto/rand"; "encoding/json"; "flag"; "fmt"; "maps"; "math"; "math/rand/v2"; "net"; "net/http"
	"slices"; "strconv"; "strings"; "sync"; "time"
)
type M = map[string]any
type tokens struct{ in, cached, out int64 } // three disjoint counts
type nano int64                             // money: one billionth of a US dollar, written with nine digits
func (n nano) MarshalText() ([]byte, error) { return []byte(n.String()), nil }
func (n nano) String() string {
	if n < 0 { return "-" + (-n).String() }
	return fmt.Sprintf("%d.%09d", int64(n)/1e9, int64(n)%1e9)
}
type model struct { id, owner string; in, cached, out nano } // prices of one token; cached = in: it has no cache
func (m *model) price(t tokens) nano { return nano(t.in)*m.in + nano(t.cached)*m.cached + nano(t.out)*m.out }
func (m *model) MarshalJSON() ([]byte, error) {
	return json.Marshal(M{"id": m.id, "owned_by": m.owner, "input": m.in, "cached_input": m.cached, "output": m.out})
}
var catalog = []*model{
	{"northwind-large", "northwind", 2500, 250, 10000}, {"northwind-mini", "northwind", 150, 30, 600},
	{"bayou-core", "bayou", 1200, 400, 4800}, {"bayou-tiny", "bayou", 80, 80, 320},
	{"kestrel-pro", "kestrel", 3000, 600, 15000}, {"kestrel-preview", "kestrel", 440, 440, 1760}, // fails now and then
}
var words = strings.Fields("amber brook cedar delta ember fjord grove harbor island jasper kelp lantern and of")
const bookID, bookVersion, grant = "usd-base", "2025-11-01", nano(100e9)
const defaultMax, topMax, maxInFlight, day = 1024, 100_000_000, 256, 86400

// record is one line of the ledger. Its amounts and its billing state are not stored but derived.
type record struct {
	rid, kind, result string // the result is running, then completed, cancelled or failed
	seq, at           int64
	m                 *model
	t                 tokens // while running: the estimate that the hold was made on
	held, delta       nano   // delta is always 0, but for planted faults
}
func (r *record) amount() nano    { return r.m.price(r.t) + r.delta }
func (r *record) reserved() nano  { return max(r.held, r.amount()) }
func (r *record) refunded() nano  { return r.reserved() - r.amount() }
func (r *record) open() bool      { return r.result == "running" }
func (r *record) estimated() bool { return r.open() || r.result == "cancelled" }
func (r *record) id() string      { return strconv.FormatInt(r.seq, 10) }
func (r *record) view() M {
	return M{"id": r.id(), "request_id": r.rid, "created_at": r.at, "model": r.m.id, "result": r.result,
		"billing_status": map[bool]string{true: "open", false: "settled"}[r.open()], "usage_estimated": r.estimated(),
		"amount": r.amount(), "reserved_amount": r.reserved(), "refunded_amount": r.refunded(),
		"input_tokens": r.t.in, "output_tokens": r.t.out, "cache_read_tokens": r.t.cached, "cache_write_tokens": 0,
		"pricebook_id": bookID, "pricing_version": bookVersion}
}
type gateway struct {
	sync.Mutex
	key, access, user string
	ledger            []*record
	rng               *rand.Rand
	plant
}
type problem struct { status int; code, msg string }
func send(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}
func deny(w http.ResponseWriter, p *problem) {
	kind, msg := "new_api_error", p.msg+" (request id: "+w.Header().Get("X-Request-Id")+")"
	if p.status == 400 || p.status == 404 { kind = "invalid_request_error" }
	if p.status == 429 { w.Header().Set("Retry-After", "1") }
	send(w, p.status, M{"error": M{"message": msg, "type": kind, "code": p.code}})
}
func secret(prefix string) string { return prefix + strings.ToLower(crand.Text()) }
func (g *gateway) auth(r *http.Request) *problem {
	key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if key == "" && r.URL.Path == "/v1/messages" { key = r.Header.Get("x-api-key") }
	if key == g.key { return nil }
	if strings.HasPrefix(key, "sk-eu1-") { return &problem{403, "key_site_mismatch", "Use https://eu1.example/v1"} }
	return &problem{401, "", "Invalid token"}
}
type request struct { // JSON names are matched without regard to case
	Model                                                string
	Stream                                               bool
	Messages                                             []struct { Role string; Content any }
	Input, System, Instructions                          any
	Max_tokens, Max_completion_tokens, Max_output_tokens *int64
	in, limit                                            int64
}
// read authorises and checks a text request. The model is returned as soon as it is known, even beside a problem.
func (g *gateway) read(hr *http.Request, kind string) (q request, m *model, p *problem) {
	if p = g.auth(hr); p != nil { return }
	err := json.NewDecoder(http.MaxBytesReader(nil, hr.Body, 1<<20)).Decode(&q)
	for _, c := range catalog { if c.id == q.Model { m = c } }
	limits := map[string]*int64{"messages": q.Max_tokens, "responses": q.Max_output_tokens,
		"chat": cmp.Or(q.Max_completion_tokens, q.Max_tokens)}
	if q.limit = defaultMax; limits[kind] != nil { q.limit = *limits[kind] }
	if kind == "responses" { q.Messages = []struct { Role string; Content any }{{"user", q.Input}} }
	empty := len(q.Messages) == 0
	for _, msg := range q.Messages { empty = empty || msg.Role == "" || msg.Content == nil }
	text, _ := json.Marshal([]any{q.System, q.Instructions, q.Messages})
	q.in = int64(len(text)+3) / 4 // a token is four bytes of the prompt's compact JSON
	switch {
	case err != nil: p = &problem{400, "", "The body is not a valid request: " + err.Error()}
	case q.Model == "": p = &problem{400, "", "model is required"}
	case m == nil: p = &problem{404, "model_not_found", "No such model: " + q.Model}
	case empty: p = &problem{400, "", "input, or messages with role and content, is required"}
	case kind == "messages" && q.Max_tokens == nil: p = &problem{400, "", "max_tokens is required"}
	case q.limit < 1 || q.limit > topMax: p = &problem{400, "", "the token limit must be from 1 to 100000000"}
	}
	return
}
type answer struct { t tokens; pieces []string; cut, fail bool; took time.Duration } // planned on admission
// admit writes the open record, whose amount is the hold.
func (g *gateway) admit(r *record, q request) (*answer, *problem) {
	g.Lock(); defer g.Unlock()
	r.at, r.result, r.t = time.Now().Unix(), "running", tokens{q.in, 0, q.limit}
	r.held = r.amount()
	s := g.all()
	left, status := grant-s.settled-s.pending, 403
	if left <= 0 { status = 402 }
	if left < r.held { return nil, &problem{status, "insufficient_user_quota", "Balance: " + left.String() + " USD"} }
	if s.open >= maxInFlight { return nil, &problem{429, "", "Too many calls in flight"} }
	n, ms := 8+g.rng.Int64N(53), 20+g.rng.IntN(120)
	a := &answer{t: tokens{q.in, 0, min(n, q.limit)}, cut: n > q.limit, took: time.Duration(ms) * time.Millisecond}
	if r.m.cached < r.m.in && g.rng.IntN(2) == 0 { a.t.in, a.t.cached = q.in-q.in/2, q.in/2 }
	a.pieces = make([]string, min(int(a.t.out), 3+g.rng.IntN(16)))
	for i := range int(a.t.out) { a.pieces[i*len(a.pieces)/int(a.t.out)] += words[g.rng.IntN(len(words))] + " " }
	if a.fail = r.m == catalog[5] && len(g.ledger)%5 == 4; !g.loses(a) { g.book(r) }
	return a, nil
}
func (g *gateway) book(r *record) { g.ledger = append(g.ledger, r); r.seq = int64(len(g.ledger)) }
func (g *gateway) settle(r *record, result string, t tokens) {
	g.Lock(); defer g.Unlock()
	r.result, r.t = result, t
	g.afterSettle(r)
}

func (g *gateway) text(w http.ResponseWriter, hr *http.Request) {
	var a *answer
	r := &record{rid: w.Header().Get("X-Request-Id"), kind: strings.Split(hr.URL.Path, "/")[2]}
	q, m, p := g.read(hr, r.kind)
	if r.m = m; p == nil { a, p = g.admit(r, q) }
	if p != nil { g.afterRefusal(r, q); deny(w, p); return }
	if a.fail || !q.Stream { time.Sleep(a.took) }
	if a.fail { g.settle(r, "failed", tokens{}); deny(w, &problem{503, "upstream_error", "No answer came"}); return }
	whole, head, tail, delta := a.format(r.kind, r.rid[4:], m.id, r.at)
	if !q.Stream { g.settle(r, "completed", a.t); send(w, 200, whole); return }
	w.Header().Set("Content-Type", "text/event-stream")
	emit(w, head...)
	sent := tokens{a.t.in, a.t.cached, 0}
	for _, piece := range a.pieces { // a client that leaves now pays the prompt and the words sent to it
		time.Sleep(a.took / time.Duration(len(a.pieces)))
		if hr.Context().Err() != nil || !emit(w, delta(piece)) { g.settle(r, "cancelled", sent); return }
		sent.out += int64(len(strings.Fields(piece)))
	}
	g.settle(r, "completed", a.t) // before the final usage is told
	emit(w, tail...)
}

// ---- wire formats
func emit(w http.ResponseWriter, events ...M) bool {
	for _, e := range events {
		raw, _ := json.Marshal(e)
		if e == nil { raw = []byte("[DONE]") }
		if e["type"] != nil { fmt.Fprintf(w, "event: %s\n", e["type"]) }
		fmt.Fprintf(w, "data: %s\n\n", raw)
	}
	return http.NewResponseController(w).Flush() == nil
}
func with(base, more M) M { m := maps.Clone(base); maps.Copy(m, more); return m }

// format gives the whole answer, and the same as stream events: before, after, and for one piece of text.
func (a *answer) format(kind, id, model string, at int64) (whole M, head, tail []M, delta func(piece string) M) {
	text, none, t, prompt := strings.Join(a.pieces, ""), []M{}, a.t, a.t.in+a.t.cached
	end := func(natural, cut string) string { if a.cut { return cut }; return natural }
	item := M{"id": "msg_" + id, "type": "message", "role": "assistant"}
	switch kind {
	case "chat":
		usage := M{"prompt_tokens": prompt, "completion_tokens": t.out, "total_tokens": prompt + t.out,
			"prompt_tokens_details": M{"cached_tokens": t.cached}, "completion_tokens_details": M{"reasoning_tokens": 0}}
		base := M{"id": "chatcmpl-" + id, "object": "chat.completion.chunk", "created": at, "model": model}
		frame := func(part string, v M, why any) M {
			return with(base, M{"choices": []M{{"index": 0, part: v, "finish_reason": why}}})
		}
		whole = frame("message", M{"role": "assistant", "content": text}, end("stop", "length"))
		whole["object"], whole["usage"] = "chat.completion", usage
		head = []M{frame("delta", M{"role": "assistant", "content": ""}, nil)}
		delta = func(piece string) M { return frame("delta", M{"content": piece}, nil) }
		tail = []M{frame("delta", M{}, end("stop", "length")), with(base, M{"choices": none, "usage": usage}), nil}
	case "responses":
		usage := M{"input_tokens": prompt, "output_tokens": t.out, "total_tokens": prompt + t.out,
			"input_tokens_details": M{"cached_tokens": t.cached}, "output_tokens_details": M{"reasoning_tokens": 0}}
		status, part := end("completed", "incomplete"), M{"type": "output_text", "text": text, "annotations": none}
		begun := M{"id": "resp_" + id, "object": "response", "created_at": at, "model": model, "usage": nil,
			"status": "in_progress", "output": none, "incomplete_details": nil}
		item = with(item, M{"status": status, "content": []M{part}})
		whole = with(begun, M{"status": status, "output": []M{item}, "usage": usage})
		if a.cut { whole["incomplete_details"] = M{"reason": "max_output_tokens"} }
		event := func(name, field string, v any) M {
			return M{"type": "response." + name, field: v, "item_id": item["id"], "output_index": 0, "content_index": 0}
		}
		head = []M{event("created", "response", begun), event("output_item.added", "item", with(item,
			M{"content": none, "status": "in_progress"})), event("content_part.added", "part", with(part, M{"text": ""}))}
		delta = func(piece string) M { return event("output_text.delta", "delta", piece) }
		tail = []M{event("output_text.done", "text", text), event("output_item.done", "item", item),
			event(status, "response", whole)}
	case "messages":
		event := func(name, field string, v any) M { return M{"type": name, "index": 0, field: v} }
		usage := M{"input_tokens": t.in, "cache_read_input_tokens": t.cached, "cache_creation_input_tokens": 0,
			"output_tokens": t.out}
		stop := M{"stop_reason": end("end_turn", "max_tokens"), "stop_sequence": nil}
		whole = with(with(item, stop), M{"model": model, "content": []M{{"type": "text", "text": text}}, "usage": usage})
		start := with(whole, M{"stop_reason": nil, "content": none, "usage": with(usage, M{"output_tokens": 0})})
		head = []M{event("message_start", "message", start),
			event("content_block_start", "content_block", M{"type": "text", "text": ""})}
		delta = func(s string) M { return event("content_block_delta", "delta", M{"type": "text_delta", "text": s}) }
		tail = []M{event("content_block_stop", "index", 0), with(event("message_delta", "delta", stop), M{"usage": usage}),
			event("message_stop", "type", "message_stop")}
	}
	return
}

// ---- reads
type sums struct { settled, pending, refunded nano; records, unknown, open int }
func (s sums) plus(r *record) sums {
	if s.records++; r.estimated() { s.unknown++ }
	if s.refunded += r.refunded(); r.open() { s.pending += r.amount(); s.open++ } else { s.settled += r.amount() }
	return s
}
func (g *gateway) all() (s sums) { for _, r := range g.ledger { s = s.plus(r) }; return }
func (s sums) view(more M) M {
	return with(more, M{"settled_amount": s.settled, "pending_amount": s.pending, "refunded_amount": s.refunded,
		"records": s.records, "unknown_records": s.unknown})
}
func views(by map[string]sums, name string) (list []M) {
	for _, key := range slices.Sorted(maps.Keys(by)) { list = append(list, by[key].view(M{name: key})) }
	return append([]M{}, list...)
}

// reads answers both usage reads with one pass over the ledger, newest record first.
func (g *gateway) reads(w http.ResponseWriter, hr *http.Request) {
	query, p := hr.URL.Query(), g.auth(hr)
	need := func(ok bool, what string) { if !ok && p == nil { p = &problem{400, "", what + " is out of range"} } }
	num := func(name string, fallback, top int64) int64 {
		if !query.Has(name) { return fallback }
		v, err := strconv.ParseInt(query.Get(name), 10, 64)
		need(err == nil && v >= 1 && v <= top, name)
		return v
	}
	end := num("end_time", time.Now().Unix()+1, math.MaxInt64)
	start := num("start_time", max(1, end-30*day), math.MaxInt64)
	limit, before := num("limit", 20, 100), num("before", math.MaxInt64, math.MaxInt64)
	model, rid := query.Get("model"), query.Get("request_id")
	need(start < end && end-start <= 31*day && len(model) <= 191 && len(rid) <= 64, "the window or a filter")
	if p != nil { deny(w, p); return }
	g.Lock(); defer g.Unlock()
	total, models, days, page, next := sums{}, map[string]sums{}, map[string]sums{}, []M{}, ""
	for _, r := range slices.Backward(g.ledger) {
		hit := r.at >= start && r.at < end && (model == "" || model == r.m.id)
		if !hit || rid != "" && rid != r.rid && rid != r.id() { continue }
		date := time.Unix(r.at, 0).UTC().Format(time.DateOnly)
		total, models[r.m.id], days[date] = total.plus(r), models[r.m.id].plus(r), days[date].plus(r)
		if r.seq >= before { continue }
		if int64(len(page)) < limit { page = append(page, r.view()) } else { next = page[limit-1]["id"].(string) }
	}
	body := total.view(M{"by_model": views(models, "model"), "daily": views(days, "date")})
	if hr.URL.Path != "/v1/usage" { body = M{"data": page, "has_more": next != "", "next_cursor": next} }
	send(w, 200, with(body, M{"currency": "USD", "start_time": start, "end_time": end}))
}
func (g *gateway) self(w http.ResponseWriter, hr *http.Request) {
	head, no := hr.Header, M{"success": false, "message": "An access token and its own New-Api-User are required"}
	if head.Get("Authorization") != "Bearer "+g.access || head.Get("New-Api-User") != g.user { send(w, 401, no); return }
	g.Lock(); defer g.Unlock()
	s := g.all()
	send(w, 200, M{"success": true, "data": M{"id": json.Number(g.user), "quota": int64(grant - s.settled - s.pending),
		"used_quota": int64(s.settled), "request_count": s.records}})
}
func (g *gateway) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	w.Header().Set("X-Request-Id", secret("req_"))
	switch hr.Method + " " + hr.URL.Path {
	case "POST /v1/chat/completions", "POST /v1/responses", "POST /v1/messages": g.text(w, hr)
	case "GET /v1/usage", "GET /v1/usage/requests": g.reads(w, hr)
	case "GET /api/user/self": g.self(w, hr)
	case "GET /v1/models":
		if p := g.auth(hr); p != nil && hr.Header.Get("Authorization") != "" { deny(w, p); return }
		send(w, 200, M{"object": "list", "data": catalog})
	case "GET /pricing.usd.json":
		send(w, 200, M{"pricebook_id": bookID, "version": bookVersion, "currency": "USD", "unit": "USD per token",
			"models": catalog, "adjustments": []M{}, "rounding": "none: charges are exact in nine decimals",
			"charge": "input_tokens * input + cache_read_tokens * cached_input + output_tokens * output"})
	default: deny(w, &problem{404, "", "Not offered here"})
	}
}
func main() {
	port, seed := flag.Int("port", 0, "0: any"), flag.Uint64("seed", rand.Uint64(), "for words, counts and delays")
	flag.Parse()
	g := &gateway{key: secret("sk-us1-"), access: secret("at"), user: strconv.Itoa(1000 + rand.IntN(9000))}
	g.rng, g.plant = rand.New(rand.NewPCG(*seed, 1)), newPlant()
	ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil { panic(err) }
	fmt.Printf(`{"base_url":"http://%s","api_key":"%s","access_token":"%s","user_id":"%s"}%s`,
		ln.Addr(), g.key, g.access, g.user, "\n")
	panic(http.Serve(ln, g))
}
