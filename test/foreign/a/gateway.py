"""A small model gateway. Its books are a journal: documents are appended to it, none is ever rewritten."""
import base64, json, random, re, secrets, signal, sys, threading, time
from decimal import Decimal, ROUND_HALF_UP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
import faults
DAY, PULSES, MAX_OUT, DEFAULT_OUT = 86400, 4, 8192, 1024    # PULSES: units of the account's quota in a micro-dollar
ITEMS = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")
BOOK = {"pricebook_id": "TAB-2025-11", "pricing_version": "2025-11-03"}
SIZES = {"854x480": "480p", "480x854": "480p", "1280x720": "720p", "720x1280": "720p", "1920x1080": "1080p"}
PNG, MP4 = "iVBORw0KGgo=", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom"
TABLE = """tejo-large text      input_tokens 0.0025  cache_read_tokens 0.000625  output_tokens 0.01
douro-chat text      input_tokens 0.003  cache_read_tokens 0.0003  cache_write_tokens 0.00375  output_tokens 0.015
mondego-mini text    input_tokens 0.0004  cache_read_tokens 0.0001  output_tokens 0.0016
sado-nano text       input_tokens 0.0001  output_tokens 0.0004
azulejo-1 image      1024x1024/low 0.011  1024x1024/medium 0.042  1024x1024/high 0.167
azulejo-1 image      1024x1536/low 0.016  1024x1536/medium 0.063  1024x1536/high 0.25
fado-video video     480p 0.05  720p 0.10  1080p 0.24""".splitlines()
KINDS = {"text": {"unit": "token", "per": 1000, "note": "input_tokens: those outside the cache, no line overlaps"},
         "image": {"unit": "image", "per": 1, "defaults": {"size": "1024x1024", "quality": "medium"}},
         "video": {"unit": "second", "per": 1, "defaults": {"seconds": 4, "resolution": "720p"}, "sizes": SIZES}}
NAMES = {"text": ["item"], "image": ["size", "quality"], "video": ["resolution"]}
ROUNDING = {"decimals": 6, "mode": "half_up", "applied_to": "each line of a record; the lines are then added"}
SERVICE, PRICES, rng = {}, {}, random.Random()
for name, SERVICE[name], *cells in map(str.split, TABLE):
    PRICES.setdefault(name, {}).update(zip(cells[::2], map(Decimal, cells[1::2])))
def pricebook():
    return {**BOOK, "currency": "USD", "rounding": ROUNDING, "adjustments": [], "tariffs": [
        {"model": m, "service": s, **KINDS[s], "lines": [{**dict(zip(NAMES[s], key.split("/"))), "price": str(price)}
         for key, price in PRICES[m].items()]} for m, s in SERVICE.items()]}
def micros(quantity, per, price):       # one line of a document, in whole micro-dollars
    return int((Decimal(quantity) * price * 1000000 / per).quantize(Decimal(1), ROUND_HALF_UP))
def text_price(prices, usage):
    return sum(micros(usage[item], 1000, price) for item, price in prices.items())
def usd(n):
    return f"{'-' if n < 0 else ''}{abs(n) // 1000000}.{abs(n) % 1000000:06d}"
Refusal = type("Refusal", (Exception,), {})     # its arguments: message, HTTP status, code
def need(condition, message, status=400, code=""):
    if not condition:
        raise Refusal(message, status, code)
def entry(doc, rid, model, result, amount=0, reserved=0, refunded=0, usage=dict.fromkeys(ITEMS, 0)):
    return dict(locals())       # doc: FT an invoice, NC a credit note, AN an annulled reserve
class Books:
    def __init__(self):
        self.lock, self.credit, self.spent, self.requests = threading.RLock(), 100 * 1000000, 0, 0
        self.open, self.journal, self.tasks = {}, [], {}
    def available(self):
        return self.credit - self.spent - sum(o[2] for o in self.open.values())
    def reserve(self, rid, model, amount):
        with self.lock:
            left = self.available()
            status, message = 402 if left <= 0 else 403, f"Insufficient credit: the current balance is ${usd(left)}"
            need(0 < left >= amount, message, status, "insufficient_user_quota")
            self.open[rid], self.requests = (int(time.time()), model, amount), self.requests + 1
    def post(self, rid, entries):       # the documents of a call take the place of its reserve
        with self.lock:
            self.open.pop(rid, None)
            for e in entries:
                number = f"{e['doc']}{time.gmtime().tm_year}-{len(self.journal) + 1:06d}"
                self.journal.append({**e, "id": number, "at": int(time.time())})
                self.spent += e["amount"] - (e["refunded"] if e["doc"] == "NC" else 0)
    def close(self, t):         # a task is over: if it failed, a credit note gives back what its invoice took
        with self.lock:
            t["over"], back = True, hooks.credit(t) if t["fails"] else 0
            if t["fails"]:
                self.post(t["rid"], [entry("NC", t["rid"], t["model"], "failed", refunded=back)])
            hooks.truth(t["rid"], t["model"], t["kind"], t["amount"] - back, 0 if t["fails"] else t["due"])
    def select(self, start, end, model, rid):   # documents posted in the window, and reserves still open in it
        with self.lock:
            return ([(n, e) for n, e in enumerate(self.journal, 1) if start <= e["at"] < end
                     and model in ("", e["model"]) and rid in ("", e["rid"], e["id"])],
                    [o for r, o in self.open.items() if start <= o[0] < end and model in ("", o[1]) and rid in ("", r)])
def record(e):
    status = {"FT": "settled", "NC": "credited", "AN": "void"}[e["doc"]]
    return {"id": e["id"], "request_id": e["rid"], "created_at": e["at"], "model": e["model"], "result": e["result"],
            "billing_status": status, "amount": usd(e["amount"]), "reserved_amount": usd(e["reserved"]), **e["usage"],
            "refunded_amount": usd(e["refunded"]), "usage_estimated": e["result"] == "interrupted", **BOOK}
def totals(found, waiting):
    zero = dict(settled_amount=0, pending_amount=0, refunded_amount=0, records=0, unknown_records=0)
    whole, models, days = {"USD": zero}, {}, {}
    facts = [(e["at"], e["model"], dict(settled_amount=e["amount"], refunded_amount=e["refunded"], records=1))
             for _, e in found] + [(at, m, dict(pending_amount=held, unknown_records=1)) for at, m, held in waiting]
    for at, model, fields in facts:
        for groups, key in (whole, "USD"), (models, model), (days, time.strftime("%Y-%m-%d", time.gmtime(at))):
            groups[key] = {f: n + fields.get(f, 0) for f, n in groups.get(key, zero).items()}
    hooks.by_model(models)
    show = lambda name, groups: [{name: key, **{k: v if "records" in k else usd(v) for k, v in group.items()}}
                                 for key, group in sorted(groups.items())]
    return {**show("currency", whole)[0], "by_model": show("model", models), "daily": show("date", days)}
def answer(style, tag, model, u, words, cut):       # the body, and its stream as (data, tokens of text inside)
    plain, cached, written, out = (u[i] for i in ITEMS)
    whole, said, step = plain + cached + written, " ".join(words), -(-len(words) // rng.randint(3, 16))
    deltas = [(" " * (i > 0) + " ".join(words[i:i + step]), len(words[i:i + step])) for i in range(0, len(words), step)]
    if style == "chat/completions":
        usage = {"prompt_tokens": whole, "completion_tokens": out, "total_tokens": whole + out,
                 "prompt_tokens_details": {"cached_tokens": cached}}
        head, end = {"id": "chatcmpl-" + tag, "created": int(time.time()), "model": model}, "length" if cut else "stop"
        message = {"message": {"role": "assistant", "content": said}, "index": 0, "finish_reason": end}
        part = lambda delta, end=None: {"choices": [{"index": 0, "delta": delta, "finish_reason": end}]}
        events = [(part({"role": "assistant", "content": ""}), 0), *((part({"content": d}), n) for d, n in deltas),
                  (part({}, end), 0), ({"choices": [], "usage": usage}, 0)]
        return ({**head, "object": "chat.completion", "choices": [message], "usage": usage},
                [({**head, "object": "chat.completion.chunk", **e}, n) for e, n in events] + [("[DONE]", 0)])
    if style == "responses":
        usage = {"input_tokens": whole, "input_tokens_details": {"cached_tokens": cached}, "output_tokens": out,
                 "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": whole + out}
        state, part = "incomplete" if cut else "completed", {"type": "output_text", "text": said, "annotations": []}
        item = {"id": "msg_" + tag, "type": "message", "role": "assistant", "status": state, "content": [part]}
        begun = {"id": "resp_" + tag, "object": "response", "created_at": int(time.time()), "model": model,
                 "output": [], "status": "in_progress", "error": None, "incomplete_details": None, "usage": None}
        reason = {"reason": "max_output_tokens"} if cut else None
        body = {**begun, "status": state, "output": [item], "usage": usage, "incomplete_details": reason}
        at, fresh = {"item_id": item["id"], "output_index": 0, "content_index": 0}, {**item, "content": []}
        events = [("created", {"response": begun}, 0), ("output_item.added", {**at, "item": fresh}, 0),
                  ("content_part.added", {**at, "part": {**part, "text": ""}}, 0),
                  *(("output_text.delta", {**at, "delta": d}, n) for d, n in deltas),
                  ("output_text.done", {**at, "text": said}, 0), ("output_item.done", {**at, "item": item}, 0),
                  (state, {"response": body}, 0)]
        return body, [({"type": "response." + t, "sequence_number": i, **e}, n) for i, (t, e, n) in enumerate(events)]
    usage = {"input_tokens": plain, "cache_creation_input_tokens": written, "cache_read_input_tokens": cached}
    begun = {"id": "msg_" + tag, "type": "message", "role": "assistant", "model": model, "content": [],
             "stop_reason": None, "stop_sequence": None, "usage": {**usage, "output_tokens": 0}}
    usage, end = {**usage, "output_tokens": out}, {"stop_reason": "max_tokens" if cut else "end_turn"}
    block = lambda kind, **more: {"type": "content_block_" + kind, "index": 0, **more}
    events = [({"type": "message_start", "message": begun}, 0),
              (block("start", content_block={"type": "text", "text": ""}), 0),
              *((block("delta", delta={"type": "text_delta", "text": d}), n) for d, n in deltas), (block("stop"), 0),
              ({"type": "message_delta", "delta": end, "usage": usage}, 0), ({"type": "message_stop"}, 0)]
    return {**begun, **end, "content": [{"type": "text", "text": said}], "usage": usage}, events

class Gate(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm, log_message = "HTTP/1.1", True, lambda *a: None
    def send(self, data, status=200, kind="application/json", **headers):
        data = data if isinstance(data, bytes) else json.dumps(data).encode()
        size = {} if "Transfer-Encoding" in headers else {"Content-Length": len(data)}
        self.send_response(status)
        for name, value in {"Content-Type": kind, "X-Request-Id": self.rid, **size, **headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(data)
    def do_GET(self):
        self.rid, url = f"pt{time.strftime('%Y%m%d', time.gmtime())}{secrets.token_hex(10)}", urlsplit(self.path)
        self.query = {k: v[-1] for k, v in parse_qs(url.query, keep_blank_values=True).items()}
        self.raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        key = (self.headers.get("Authorization") or self.headers.get("x-api-key", "")).removeprefix("Bearer ")
        try:
            need(threading.active_count() < 200, "Too many calls in flight", 429)
            for method, pattern, guard, serve in ROUTES:
                if (match := re.fullmatch(pattern, url.path)) and method == self.command:
                    need(not guard or key == ME[guard] or not key and url.path == "/v1/models", "Invalid token", 401)
                    return serve(self, *match.groups())
            need(False, f"There is no {self.command} {url.path}", 404, "not_found")
        except Refusal as refusal:
            message, status, code = refusal.args
            error = {"message": f"{message} (request id: {self.rid})", "code": code,
                     "type": "invalid_request_error" if status in (400, 404, 409) else "new_api_error"}
            error = {"success": False, "message": message} if url.path.startswith("/api/") else {"error": error}
            self.send(error, status, **({"Retry-After": 1} if status == 429 else {}))
    do_POST = do_GET
    def order(self, service):       # the body of a paid call, and its model
        try:
            form = re.findall(rb'name="(\w+)"[^\r]*(?:\r\n[^\r]+)*\r\n\r\n(.*?)\r\n--', self.raw, re.S)
            multipart = self.headers.get_content_type() == "multipart/form-data"
            b = {k.decode(): v.decode("utf-8", "replace") for k, v in form} if multipart else json.loads(self.raw)
        except ValueError:
            b = None
        need(isinstance(b, dict) and isinstance(b.get("model"), str), "the body must be an object that names a model")
        need(b["model"] in PRICES, f"The model `{b['model']}` does not exist for this key", 404, "model_not_found")
        need(SERVICE[b["model"]] == service, f"the model `{b['model']}` does not serve {service} calls")
        need(service == "text" or b.get("prompt") and isinstance(b["prompt"], str), "prompt must be a text")
        return b, b["model"]
    def work(self, model, held):    # now and then the upstream fails: the reserve is annulled, nothing is charged
        books.reserve(self.rid, model, held)
        time.sleep(rng.uniform(0.02, 0.1))
        if rng.random() < 0.02:
            books.post(self.rid, [entry("AN", self.rid, model, "failed", reserved=held)])
            need(False, "The channel of this model is unavailable", 502, "upstream_unavailable")
    def text(self, style):
        b, model = self.order("text")
        said, stream = b.get("input" if style == "responses" else "messages"), b.get("stream", False)
        formed = isinstance(said, list) and all(isinstance(m, dict) and "role" in m and "content" in m for m in said)
        need(said and (formed or style == "responses") and isinstance(stream, bool), "messages, input or stream is bad")
        caps = [b[k] for k in ("max_tokens", "max_completion_tokens", "max_output_tokens") if b.get(k) is not None]
        need(all(type(c) is int and c > 0 for c in caps) and (caps or style != "messages"), "max_tokens: minimum 1")
        cap, prices = min([MAX_OUT, *caps]) if caps else DEFAULT_OUT, hooks.text_prices(model)
        spoken = json.dumps([said, *(b[k] for k in ("system", "instructions", "tools") if k in b)])
        plain = sum((len(w) + 3) // 4 for w in re.findall(r"\w+|[^\w\s]", spoken))
        held = text_price(prices, dict(zip(ITEMS, (plain, plain, plain, cap))))     # the input on each input line
        self.work(model, held)
        cached = rng.randint(plain // 3, plain * 3 // 4) if "cache_read_tokens" in prices and rng.random() < 0.4 else 0
        writes = "cache_write_tokens" in prices and style == "messages" and rng.random() < 0.4
        want, written = rng.randint(8, 220), rng.randint(1, plain - cached) if writes else 0
        usage = dict(zip(ITEMS, (plain - cached - written, cached, written, min(want, cap))))
        words = rng.choices("o mar sal luz cais rio sul ver casa vila sol fado nau voz lua".split(), k=min(want, cap))
        invoice = lambda result: entry("FT", self.rid, model, result, text_price(prices, usage), held, usage=usage)
        body, events = answer(style, secrets.token_hex(12), model, usage, words, want > cap)
        if not stream:
            books.post(self.rid, hooks.text_entries(invoice("completed")))
            return self.send(body)
        sent = 0
        try:
            self.send(b"", kind="text/event-stream", **{"Cache-Control": "no-cache", "Transfer-Encoding": "chunked"})
            for data, n in events:
                name = f"event: {data['type']}\n" if "type" in data else ""
                event = f"{name}data: {data if data == '[DONE]' else json.dumps(data)}\n\n"
                self.wfile.write(f"{len(event):x}\r\n{event}\r\n".encode())
                sent += n
                time.sleep(0.002)
            self.wfile.write(b"0\r\n\r\n")
        finally:        # a client that hung up pays for the input and for the text that was sent
            usage["output_tokens"] = sent
            books.post(self.rid, hooks.text_entries(invoice("completed" if sent == len(words) else "interrupted")))
    def media(self, service, job=True, edit=False):
        b, model = self.order(service)
        shape, count = b.get("response_format", "url"), "1"
        if service == "image":
            need(b.get("n", 1) in (1, "1") and shape in ("url", "b64_json"), "n is 1, response_format url or b64_json")
            need(b.get("image") or not edit, "image is missing")
            what = f"{b.get('size', '1024x1024')}/{b.get('quality', 'auto')}".replace("/auto", "/medium")
        else:
            what = SIZES.get(str(b["size"])) if "size" in b else str(b.get("resolution", "720p"))
            count = str(b.get("seconds", b.get("duration", 4)))
            need(re.fullmatch("[1-9]|1[0-9]|20", count), "seconds must be an integer from 1 to 20")
            need("image" not in b or what != "1080p" and int(count) <= 10, "with a reference: at most 10 s and 720p")
        need(what in PRICES[model], f"`{model}` does not offer this size, quality or resolution")
        due = micros(count, 1, PRICES[model][what])
        amount = hooks.flat(self.rid, model, what, due)
        task_id = f"{service}_{secrets.token_hex(8)}"
        own = {"job_id" if service == "image" else "id": task_id, "object": service, "request_id": self.rid,
               "model": model, KINDS[service]["unit"] + "s": count, **dict(zip(NAMES[service], what.split("/")))}
        t = dict(own=own, rid=self.rid, kind=service, model=model, amount=amount, due=due, shape=shape,
                 over=False, begun=int(time.time()), fails=job and rng.random() < 1 / 3)
        books.reserve(self.rid, model, amount) if job else self.work(model, amount)
        books.post(self.rid, [entry("FT", self.rid, model, "accepted" if job else "completed", amount, amount)])
        if not job:
            books.close(t)
            return self.send(self.picture(self.rid, shape))
        books.tasks[task_id] = t
        threading.Timer(rng.uniform(0.5, 1.5) * (2 if service == "video" else 1), books.close, [t]).start()
        self.send(self.view(t), 202 if service == "image" else 200)
    def picture(self, rid, shape):
        url, b64 = ("", PNG) if shape == "b64_json" else (f"{ME['base_url']}/files/{rid}.png", "")
        return {"created": int(time.time()), "data": [{"url": url, "b64_json": b64}]}
    def view(self, t):
        running = "queued" if time.time() - t["begun"] < 1 else "in_progress"
        status = running if not t["over"] else "failed" if t["fails"] else "completed"
        error = {"code": "generation_failed", "message": "The model gave no result; a credit note was posted"}
        return {**t["own"], "created_at": t["begun"], "status": status, "error": error if status == "failed" else None}
    def task(self, kind, task_id, part=None):
        t = books.tasks.get(task_id)
        need(t and t["kind"] == kind, f"There is no {kind} task {task_id}", 404, "task_not_found")
        need(not part or t["over"] and not t["fails"], "The task has no result", 409, "not_completed")
        result = self.picture(t["rid"], self.query.get("response_format", t["shape"])) if kind == "image" else MP4
        self.send(result if part else self.view(t), kind="video/mp4" if part and result is MP4 else "application/json")
    def usage(self, paged):
        q, cursor = self.query, [0, 0, int(time.time()) + 1]
        try:
            cursor = json.loads(base64.urlsafe_b64decode(q["before"])) if "before" in q else cursor
            end = int(q.get("end_time", cursor[2]))
            start, size = int(q.get("start_time", cursor[1] or max(1, end - 30 * DAY))), int(q.get("limit", 20))
        except (ValueError, TypeError, LookupError):
            need(False, "start_time, end_time, limit must be integers, and before the next_cursor of a page")
        keep = [start, end, q.get("model", ""), q.get("request_id", "")]
        need(0 < start < end < 2 ** 63 and end - start <= 31 * DAY and size > 0 and len(keep[2]) <= 191
             and len(keep[3]) <= 64, "the window, the limit or a filter is out of range")
        need("before" not in q or cursor[1:] == keep, "before belongs to another window or other filters")
        found, waiting = books.select(*keep)
        rows = [(n, e) for n, e in reversed(found) if not cursor[0] or n < cursor[0]]
        page, more = rows[:min(size, 200)], len(rows) > min(size, 200)
        after = base64.urlsafe_b64encode(json.dumps([page[-1][0], *keep]).encode()).decode() if more else ""
        body = {"currency": "USD", "data": [record(e) for _, e in page], "next_cursor": after, "has_more": more}
        self.send({**(body if paged else totals(found, waiting)), "start_time": start, "end_time": end})
    def account(self):
        need(self.headers.get("New-Api-User") == ME["user_id"], "New-Api-User must name the token's owner", 401)
        self.send({"success": True, "data": {"id": int(ME["user_id"]), "quota": books.available() * PULSES,
                                             "used_quota": books.spent * PULSES, "request_count": books.requests}})
LISTED = {"object": "list", "data": [{"id": m, "object": "model", "owned_by": "gateway"} for m in PRICES]}
ROUTES = [
    ("GET", "/v1/models", "api_key", lambda g: g.send(LISTED)), ("GET", "/api/user/self", "access_token", Gate.account),
    ("GET", "/pricing.usd.json", None, lambda g: g.send(pricebook())),
    ("GET", "/files/.*", None, lambda g: g.send(base64.b64decode(PNG), kind="image/png")),
    ("POST", "/v1/(chat/completions|responses|messages)", "api_key", Gate.text),
    ("POST", "/v1/images/(?:generations|(edits))(/jobs)?", "api_key", lambda g, edit, job: g.media("image", job, edit)),
    ("GET", "/v1/images/jobs/([^/]+)(/result)?", "api_key", lambda g, *a: g.task("image", *a)),
    ("POST", "/v1/videos(?:/generations)?", "api_key", lambda g: g.media("video")),
    ("GET", "/v1/videos/([^/]+)(/content)?", "api_key", lambda g, *a: g.task("video", *a)),
    ("GET", "/v1/usage(/requests)?", "api_key", Gate.usage)]
if __name__ == "__main__":
    options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    ThreadingHTTPServer.request_queue_size, ThreadingHTTPServer.handle_error = 128, lambda *a: None
    server = ThreadingHTTPServer(("127.0.0.1", int(options.get("--port", 0))), Gate)
    rng.seed(options.get("--seed"))
    ME = {"base_url": f"http://127.0.0.1:{server.server_port}", "api_key": "sk-" + secrets.token_hex(20),
          "access_token": secrets.token_hex(16), "user_id": str(secrets.randbelow(90000) + 10000)}
    books, hooks = Books(), faults.Hooks(options.get("--fault"), sys.modules["__main__"], options.get("--truth"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps(ME), flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    hooks.finish()
