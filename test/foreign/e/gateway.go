// Group Model Gateway: prepaid text generation for the subsidiaries of the bank. Its rules stand in CHOICES.md.
package main

import (
	"bytes"; "cmp"; crand "crypto/rand"; "encoding/hex"; "encoding/json"; "flag"; "fmt"; "io"; "maps"; "math"
	"math/rand/v2"; "net"; "net/http"; "net/url"; "os"; "slices"; "strconv"; "strings"; "sync"; "time"
)

// The price book as published. All rates have six decimals; cached_input is null where a model has no prompt cache.
const book = `{"pricebook_id": "GMB-USD-TEXT", "currency": "USD", "rate_basis": {"unit": "token", "per": 1000},
"rounding": {"decimals": 8, "mode": "half_even", "applied": "once per call, to the sum of its lines"},
"rule": "The schedule valid when the call is accepted applies: from valid_from, until before valid_until (UTC).",
"adjustments": [], "schedules": [
 {"pricing_version": "2024-07.1", "valid_from": "2024-07-01T00:00:00Z", "valid_until": "2025-07-01T00:00:00Z",
  "approved_by": ["treasury-desk", "cost-control"], "tariffs": [
  {"model": "meridian-large-3", "fresh_input": "0.006200", "cached_input": "0.001550", "output": "0.028600"}]},
 {"pricing_version": "2025-07.2", "valid_from": "2025-07-01T00:00:00Z", "valid_until": "2030-07-01T00:00:00Z",
  "approved_by": ["cost-control", "group-audit"], "tariffs": [
  {"model": "meridian-large-3", "fresh_input": "0.005100", "cached_input": "0.001275", "output": "0.024700"},
  {"model": "meridian-base-3", "fresh_input": "0.001190", "cached_input": "0.000357", "output": "0.005900"},
  {"model": "ledgerline-mini-2", "fresh_input": "0.000265", "cached_input": null, "output": "0.001270"},
  {"model": "ledgerline-nano-2", "fresh_input": "0.000085", "cached_input": null, "output": "0.000343"}]}]}`
type tariff struct { Model, Output string; Fresh string `json:"fresh_input"`; Cached string `json:"cached_input"` }
type schedule struct { Version string `json:"pricing_version"`; Until time.Time `json:"valid_until"`; Tariffs []tariff }
func inForce(now time.Time) schedule {
	var b struct { Schedules []schedule }; json.Unmarshal([]byte(book), &b)
	return b.Schedules[slices.IndexFunc(b.Schedules, func(s schedule) bool { return now.Before(s.Until) })]
}
const opening, pricebookID = usd(100_00000000), "GMB-USD-TEXT"
const maxBody, maxOutput, usualOutput, maxFlight = 1 << 20, 32768, 4096, 64
type obj = map[string]any
type usd int64 // an amount in units of 0.00000001 USD, always written with eight decimals
func (u usd) String() string { return fmt.Sprintf("%d.%08d", int64(u)/1e8, int64(max(u, -u))%1e8) }
func (u usd) MarshalJSON() ([]byte, error) { return []byte(`"` + u.String() + `"`), nil }
func divHalfEven(a, b int64) usd { q, r := a/b, a%b; if 2*r > b || 2*r == b && q%2 == 1 { q++ }; return usd(q) }
func nano(rate string) int64 { n, _ := strconv.ParseInt(strings.Replace(rate, ".", "", 1), 10, 64); return n }
type record struct { // result: in_progress, completed, aborted; billing: held, in_review, settled
	ID string `json:"id"`; RequestID string `json:"request_id"`; Created int64 `json:"created_at"`
	Model string `json:"model"`; Result string `json:"result"`; Billing string `json:"billing_status"`
	Amount usd `json:"amount"`; Reserved usd `json:"reserved_amount"`; Refunded usd `json:"refunded_amount"`
	Input int64 `json:"input_tokens"`; Output int64 `json:"output_tokens"`; CacheRead int64 `json:"cache_read_tokens"`
	CacheWrite int64 `json:"cache_write_tokens"`; Estimated bool `json:"usage_estimated"`
	Pricebook string `json:"pricebook_id"`; Version string `json:"pricing_version"`; seq int64; mark mark
}
type sums struct {
	Model string `json:"model,omitempty"`; Date string `json:"date,omitempty"`
	Settled usd `json:"settled_amount"`; Pending usd `json:"pending_amount"`; Refunded usd `json:"refunded_amount"`
	Records int `json:"records"`; Unknown int `json:"unknown_records"`
}
func (s *sums) add(r *record) {
	s.Records, s.Settled, s.Refunded = s.Records+1, s.Settled+r.Amount, s.Refunded+r.Refunded
	if r.Billing != "settled" { s.Pending += r.Reserved }; if r.Result == "in_progress" { s.Unknown++ }
}
type gateway struct {
	mu sync.Mutex; rnd *rand.Rand; truth *os.File; fault planted
	key, token, user string; records []*record; seq, flight int64; held, spent usd
}
func id(n int) string { b := make([]byte, n); crand.Read(b); return hex.EncodeToString(b) }
func requestID() string { return "gm-" + time.Now().UTC().Format("20060102T150405") + "-" + id(8) }
func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json"); w.WriteHeader(status); json.NewEncoder(w).Encode(v)
}
type refusal struct { status int; code, msg string }
func deny(when bool, status int, code, msg string) { if when { panic(refusal{status, code, msg}) } }
func excuse(w http.ResponseWriter, r *http.Request, e any) {
	no, ok := e.(refusal)
	if e == nil { return } else if !ok { panic(e) }
	kind, msg := "new_api_error", no.msg+" (request id: "+w.Header().Get("X-Request-Id")+")"
	if no.status == 400 || no.status == 404 || no.status == 413 { kind = "invalid_request_error" }
	if no.status == 429 { w.Header().Set("Retry-After", "1") }
	if strings.HasPrefix(r.URL.Path, "/api/") { reply(w, no.status, obj{"success": false, "message": msg}); return }
	reply(w, no.status, obj{"error": obj{"message": msg, "type": kind, "code": no.code}})
}
func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() { excuse(w, r, recover()) }(); w.Header().Set("X-Request-Id", requestID())
	bearer, route := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), r.Method+" "+r.URL.Path
	key, account := cmp.Or(r.Header.Get("x-api-key"), bearer), strings.HasPrefix(r.URL.Path, "/api/")
	open := route == "GET /pricing.usd.json" || route == "GET /v1/models" && key == ""
	deny(account && bearer != g.token, 401, "", "Missing or invalid system access token")
	deny(account && r.Header.Get("New-Api-User") != g.user, 401, "", "New-Api-User must name the owner of the token")
	deny(!account && !open && key != g.key, 401, "", "Invalid token")
	switch route {
	case "POST /v1/chat/completions", "POST /v1/responses", "POST /v1/messages": g.text(w, r)
	case "GET /v1/usage", "GET /v1/usage/requests": g.usage(w, r)
	case "GET /pricing.usd.json": reply(w, 200, json.RawMessage(book))
	case "GET /api/user/self":
		g.mu.Lock(); defer g.mu.Unlock()
		reply(w, 200, obj{"success": true, "data": obj{"id": nano(g.user), "quota": int64(opening - g.spent - g.held),
			"used_quota": int64(g.spent), "request_count": len(g.records)}})
	case "GET /v1/models":
		list := []obj{}
		for _, t := range inForce(time.Now()).Tariffs { list = append(list, obj{"id": t.Model, "object": "model"}) }
		reply(w, 200, obj{"object": "list", "data": list})
	default: deny(true, 404, "", "Not offered here: "+route)
	}
}
type call struct { // in: fresh and cached input together; pieces: of a stream
	kind, rid, model, text, why string; streamed, aborted, offbook bool; price tariff; rec *record
	ceiling, in, cached, out, pieces, at int64
}
func (c *call) charge(num, den int64) usd {
	sum := (c.in-c.cached)*nano(c.price.Fresh) + c.cached*nano(c.price.Cached) + c.out*nano(c.price.Output)
	return divHalfEven(sum*num, 10*den)
}
func tokens(raw json.RawMessage) int64 {
	s, b := "", bytes.Buffer{}
	if len(raw) > 0 && json.Unmarshal(raw, &s) != nil { json.Compact(&b, raw) }
	return int64(len([]rune(s+b.String()))+3) / 4
}
func parse(kind string, body []byte) *call {
	type message struct { Role *string; Content json.RawMessage }
	var q struct {
		Model string; Stream bool; Messages []message; Input, System, Instructions json.RawMessage
		Max *int64 `json:"max_tokens"`; Chat *int64 `json:"max_completion_tokens"`; Out *int64 `json:"max_output_tokens"`
	}
	err := json.Unmarshal(body, &q); deny(err != nil, 400, "", fmt.Sprint("Malformed request: ", err))
	limit := map[string]*int64{"chat": cmp.Or(q.Chat, q.Max), "messages": q.Max, "responses": q.Out}[kind]
	if kind == "responses" && json.Unmarshal(q.Input, &q.Messages) != nil { q.Messages = []message{{Content: q.Input}} }
	deny(q.Model == "" || len(q.Messages) == 0, 400, "", "model and messages (or input) are required")
	deny(kind == "messages" && limit == nil, 400, "", "max_tokens is required")
	c := &call{kind: kind, model: q.Model, streamed: q.Stream, in: tokens(q.System) + tokens(q.Instructions)}
	for _, m := range q.Messages {
		deny(m.Content == nil || kind != "responses" && m.Role == nil, 400, "", "role and content (or input) are required")
		c.in += 4 + tokens(m.Content)
	}
	if c.ceiling = usualOutput; limit != nil { c.ceiling = *limit }
	deny(c.ceiling < 1 || c.ceiling > maxOutput, 400, "", fmt.Sprintf("max tokens must be 1 to %d", maxOutput))
	return c
}
func (g *gateway) text(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	deny(err != nil, 413, "", "The request body cannot be read or is above 1 MiB")
	c := parse(strings.Split(r.URL.Path, "/")[2], body)
	c.rid = w.Header().Get("X-Request-Id"); wait := g.admit(c)
	if c.streamed { c.stream(w, r, wait) } else { time.Sleep(wait) }
	g.close(c)
	if !c.streamed { reply(w, 200, json.RawMessage(c.fill("$WHOLE", "", 0))) }
}
func (g *gateway) admit(c *call) time.Duration {
	s := inForce(time.Now())
	i := slices.IndexFunc(s.Tariffs, func(t tariff) bool { return t.Model == c.model })
	deny(i < 0, 404, "model_not_found", fmt.Sprintf("The model %q is not available to this key", c.model))
	c.price, c.at = s.Tariffs[i], time.Now().Unix()
	reserve := usd(((c.in*nano(c.price.Fresh)+c.ceiling*nano(c.price.Output))*150 + 999) / 1000)
	g.mu.Lock(); defer g.mu.Unlock(); deny(g.flight >= maxFlight, 429, "", "Request limit exceeded")
	note := fmt.Sprintf("Current balance: %s USD; held: %s; needed: %s", opening-g.spent, g.held, reserve)
	deny(g.spent >= opening, 402, "insufficient_user_quota", note)
	deny(opening-g.spent-g.held < reserve, 403, "insufficient_user_quota", note)
	g.held, g.flight = g.held+reserve, g.flight+1
	c.rec = &record{Estimated: true, RequestID: c.rid, Created: c.at, Model: c.model, Result: "in_progress",
		Billing: "held", Reserved: reserve, Pricebook: pricebookID, Version: s.Version}
	if c.offbook = g.leavesOut(); !c.offbook { g.enter(c.rec) }
	n := int64(12 + g.rnd.IntN(110))
	c.out, c.why, c.pieces = min(n, c.ceiling), formats[c.kind]["done"], min(n, c.ceiling, int64(4+g.rnd.IntN(15)))
	if c.out < n { c.why = formats[c.kind]["cut"] }
	for range c.out { c.text += vocabulary[g.rnd.IntN(len(vocabulary))] + " " }
	if c.price.Cached != "" && g.rnd.IntN(5) < 2 { c.cached = c.in * int64(1+g.rnd.IntN(3)) / 4 }
	return time.Duration(20+g.rnd.IntN(110)) * time.Millisecond
}
func (g *gateway) enter(r *record) {
	g.seq++; r.seq, r.ID, g.records = g.seq, fmt.Sprintf("led-%09d", g.seq), append(g.records, r)
}
func (g *gateway) close(c *call) {
	g.mu.Lock(); defer g.mu.Unlock()
	g.flight, c.rec.Result, c.rec.Billing, c.rec.Estimated = g.flight-1, "completed", "in_review", c.aborted
	c.rec.Input, c.rec.CacheRead, c.rec.Output = c.in-c.cached, c.cached, c.out
	if c.aborted { c.rec.Result = "aborted" }
	time.AfterFunc(time.Duration(250+g.rnd.IntN(500))*time.Millisecond, func() { g.settle(c) })
}
func (g *gateway) settle(c *call) {
	g.mu.Lock(); defer g.mu.Unlock(); r, due := c.rec, c.charge(1, 1)
	r.Amount = g.bend(c, due)
	r.Billing, r.Refunded, g.spent, g.held = "settled", max(r.Reserved-r.Amount, 0), g.spent+r.Amount, g.held-r.Reserved
	g.tell(c, r.Amount+g.afterwards(c, due), due)
}
var vocabulary = strings.Fields("the a ledger account balance audit prudent reserve committee approves report risk " +
	"within limits and of to capital review board notes that exposure remains covered by collateral under policy")
// The three formats. An event begins with ~, one that stands for every piece of the text with ~*.
var formats = map[string]map[string]string{"chat": {"done": "stop", "cut": "length",
	"usage": `{"prompt_tokens":$PROMPT,"completion_tokens":$OUT,"total_tokens":$SUM,
"prompt_tokens_details":{"cached_tokens":$CACHED},"completion_tokens_details":{"reasoning_tokens":0}}`,
	"whole": `{"id":"chatcmpl-$ID","object":"chat.completion","created":$AT,"model":"$MODEL","usage":$USAGE,
"choices":[{"index":0,"message":{"role":"assistant","content":"$TEXT"},"finish_reason":"$WHY"}]}`,
	"head": `{"id":"chatcmpl-$ID","object":"chat.completion.chunk","created":$AT,"model":"$MODEL","choices":[{"index":0,`,
	"events": `~$HEAD"delta":{"role":"assistant","content":""},"finish_reason":null}]}
~*$HEAD"delta":{"content":"$PIECE"},"finish_reason":null}]}
~$HEAD"delta":{},"finish_reason":"$WHY"}],"usage":$USAGE}~[DONE]`}, "messages": {
	"done": "end_turn", "cut": "max_tokens", "usage": `{$INPUT,"output_tokens":$OUT}`,
	"input": `"input_tokens":$FRESH,"cache_read_input_tokens":$CACHED,"cache_creation_input_tokens":0`,
	"whole": `$HEAD,"content":[{"type":"text","text":"$TEXT"}],"stop_reason":"$WHY","usage":$USAGE}`,
	"head": `{"id":"msg_$ID","type":"message","role":"assistant","model":"$MODEL","stop_sequence":null`,
	"events": `~{"type":"message_start","message":$HEAD,"content":[],"usage":{$INPUT,"output_tokens":0},
"stop_reason":null}}
~{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}
~*{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"$PIECE"}}
~{"type":"content_block_stop","index":0}
~{"type":"message_delta","delta":{"stop_reason":"$WHY","stop_sequence":null},"usage":$USAGE}~{"type":"message_stop"}`},
"responses": {"done": "completed", "cut": "incomplete",
	"usage": `{"input_tokens":$PROMPT,"input_tokens_details":{"cached_tokens":$CACHED},"output_tokens":$OUT,
"output_tokens_details":{"reasoning_tokens":0},"total_tokens":$SUM}`,
	"head": `{"id":"resp_$ID","object":"response","created_at":$AT,"model":"$MODEL","error":null`,
	"item": `{"id":"item_$ID","type":"message","role":"assistant","status":"$WHY",
"content":[{"type":"output_text","text":"$TEXT","annotations":[]}]}`,
	"whole": `$HEAD,"status":"$WHY","incomplete_details":$LESS,"output":[$ITEM],"usage":$USAGE}`,
	"place": `"sequence_number":$N,"item_id":"item_$ID","output_index":0,"content_index":0`,
	"events": `~{"type":"response.created","sequence_number":$N,"response":$HEAD,"status":"in_progress","output":[]}}
~{"type":"response.output_item.added","sequence_number":$N,"output_index":0,"item":{"id":"item_$ID","type":"message",
"role":"assistant","status":"in_progress","content":[]}}
~{"type":"response.content_part.added",$PLACE,"part":{"type":"output_text","text":"","annotations":[]}}
~*{"type":"response.output_text.delta",$PLACE,"delta":"$PIECE"}
~{"type":"response.output_text.done",$PLACE,"text":"$TEXT"}
~{"type":"response.output_item.done","sequence_number":$N,"output_index":0,"item":$ITEM}
~{"type":"response.$WHY","sequence_number":$N,"response":$WHOLE}`}}
func (c *call) fill(text, piece string, n int64) string {
	pairs := []string{"\n", ""}
	for name, frame := range formats[c.kind] { pairs = append(pairs, "$"+strings.ToUpper(name), frame) }
	less := map[bool]string{true: `{"reason":"max_output_tokens"}`, false: "null"}[c.why == "incomplete"]
	for _, value := range []any{"$ID", c.rid[len(c.rid)-16:], "$MODEL", c.model, "$TEXT", strings.TrimSpace(c.text),
		"$WHY", c.why, "$LESS", less, "$PIECE", piece, "$PROMPT", c.in, "$OUT", c.out, "$SUM", c.in + c.out,
		"$CACHED", c.cached, "$FRESH", c.in - c.cached, "$AT", c.at, "$N", n} { pairs = append(pairs, fmt.Sprint(value)) }
	for range 4 { text = strings.NewReplacer(pairs...).Replace(text) }; return text // the frames nest
}
func (c *call) stream(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	w.Header().Set("Content-Type", "text/event-stream")
	words, n := strings.SplitAfter(strings.TrimSpace(c.text), " "), int64(0)
	for _, event := range strings.Split(formats[c.kind]["events"], "~")[1:] {
		event, many := strings.CutPrefix(event, "*")
		for i := int64(0); i == 0 || many && i < c.pieces; i++ {
			from, to := i*c.out/c.pieces, (i+1)*c.out/c.pieces
			if many { time.Sleep(wait / time.Duration(c.pieces)) }
			if many && r.Context().Err() != nil { c.out, c.aborted = from, true; return }
			line := c.fill(event, strings.Join(words[from:to], ""), n)
			if c.kind != "chat" { fmt.Fprintf(w, "event: %s\n", strings.Split(line, `"`)[3]) } // its type stands first
			fmt.Fprintf(w, "data: %s\n\n", line)
			w.(http.Flusher).Flush(); n++
		}
	}
}
type query struct { start, end, before int64; model, rid string }
func readQuery(v url.Values) query {
	num := func(name string, or int64) int64 {
		n, err := strconv.ParseInt(cmp.Or(v.Get(name), fmt.Sprint(or)), 10, 64)
		deny(err != nil || n < 1, 400, "", name+" must be an integer of at least 1"); return n
	}
	q := query{0, num("end_time", time.Now().Unix()), num("before", math.MaxInt64), v.Get("model"), v.Get("request_id")}
	q.start = num("start_time", max(q.end-30*86400, 1))
	deny(q.start > q.end || q.end-q.start > 31*86400, 400, "", "start_time to end_time must be 0 to 31 days")
	deny(len(q.model) > 191 || len(q.rid) > 64, 400, "", "model or request_id is too long")
	return q
}
func (q query) holds(r *record) bool {
	return q.start <= r.Created && r.Created < q.end && r.seq < q.before && (q.model == "" || q.model == r.Model) &&
		(q.rid == "" || q.rid == r.RequestID || q.rid == r.ID)
}
func (g *gateway) usage(w http.ResponseWriter, r *http.Request) {
	q := readQuery(r.URL.Query())
	limit, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("limit"), "50"))
	deny(err != nil || limit < 1, 400, "", "limit must be an integer of at least 1")
	g.mu.Lock(); defer g.mu.Unlock(); g.beforeRead()
	body := obj{"currency": "USD", "start_time": q.start, "end_time": q.end}
	if r.URL.Path == "/v1/usage" { g.totals(q, body) } else { g.page(q, min(limit, 100), body) }
	reply(w, 200, body)
}
func (g *gateway) totals(q query, body obj) {
	all, models, days := sums{}, map[string]*sums{}, map[string]*sums{}
	for _, r := range g.records {
		if !q.holds(r) { continue }
		day := time.Unix(r.Created, 0).UTC().Format(time.DateOnly)
		models[r.Model] = cmp.Or(models[r.Model], &sums{Model: r.Model})
		days[day] = cmp.Or(days[day], &sums{Date: day})
		for _, s := range []*sums{&all, models[r.Model], days[day]} { s.add(r) }
	}
	g.bendModels(models); order := func(a, b *sums) int { return cmp.Compare(a.Model+a.Date, b.Model+b.Date) }
	body["by_model"] = append([]*sums{}, slices.SortedFunc(maps.Values(models), order)...)
	body["daily"] = append([]*sums{}, slices.SortedFunc(maps.Values(days), order)...)
	body["settled_amount"], body["pending_amount"], body["refunded_amount"] = all.Settled, all.Pending, all.Refunded
	body["records"], body["unknown_records"] = all.Records, all.Unknown
}
func (g *gateway) page(q query, limit int, body obj) { // the newest entries of the ledger come first
	found, cursor := []*record{}, ""
	for _, r := range slices.Backward(g.records) { if q.holds(r) && !g.hidden(r) { found = append(found, r) } }
	n := min(limit, len(found)); if n < len(found) { cursor = fmt.Sprint(g.border(found[n-1], found[n:])) }
	g.served(found[:n])
	body["data"], body["next_cursor"], body["has_more"] = found[:n], cursor, cursor != ""
}
func main() {
	port, number := flag.Int("port", 0, "0: any"), flag.Int("fault", 0, "which fault to plant, 0: none")
	truth, seed := flag.String("truth", "", "file"), flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the words")
	flag.Parse(); ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil { panic(err) }
	g := &gateway{rnd: rand.New(rand.NewPCG(*seed, 7)), key: "sk-" + id(24), token: id(20), 
		user: fmt.Sprint(1000 + rand.IntN(90000))}
	g.plant(*number, *truth)
	json.NewEncoder(os.Stdout).Encode(obj{"base_url": "http://" + ln.Addr().String(), "api_key": g.key,
		"access_token": g.token, "user_id": g.user})
	if parent := os.Getppid(); strings.Contains(os.Args[0], "go-build") { // "go run" keeps SIGTERM to itself
		go func() { for os.Getppid() == parent { time.Sleep(time.Second / 4) }; os.Exit(0) }() }
	http.Serve(ln, g)
}
