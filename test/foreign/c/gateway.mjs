// Model gateway of a creative-media studio: pictures and films first, text beside. Node 20+, no dependencies.
import http from 'node:http';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { plant } from './faults.mjs'; // the test rig: truth file and planted faults; idle without its options
const opt = Object.fromEntries(process.argv.slice(2).map((v, i, all) => [v.slice(2), all[i + 1]])); // --port 0 ...
let state = Math.imul(Number(opt.seed ?? randomBytes(4).readUInt32LE()) + 1, 0x9e3779b1) >>> 0;
const rnd = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const between = (lo, hi) => lo + Math.floor(rnd() * (hi - lo + 1));
const hex = (n) => randomBytes(n).toString('hex'), now = () => Math.floor(Date.now() / 1000);
const sizes = (S, M, L) => ({ S, M, L }), terms = (pictures, films, text) => ({ pictures, films, text });
const tokenPrices = (input, output, cached_input) => ({ per_1000_tokens: { input, cached_input, output } });
const BOOK = { pricebook_id: 'pb-global-usd', pricing_version: '2025-10-20', currency: 'USD',
  pictures: { 'mugung-paint-2': { edit_fee: '0.005', jobs: true, per_picture: { low: sizes('0.012', '0.018', '0.036'),
    medium: sizes('0.040', '0.060', '0.110'), high: sizes('0.120', '0.180', '0.320') } }, 'mugung-sketch': {
    edit_fee: '0.002', jobs: false, per_picture: { low: sizes('0.004', '0.006'), medium: sizes('0.009', '0.014') } } },
  films: { 'hallyu-film-1': { per_second: { '480p': '0.035', '720p': '0.070', '1080p': '0.160' } },
    'hallyu-film-quick': { per_second: { '480p': '0.015', '720p': '0.030' } } },
  text: { 'dalbit-large': tokenPrices('0.0030', '0.0120', '0.00075'), 'neul-writer': tokenPrices('0.0012', '0.0048'),
    'dalbit-mini': tokenPrices('0.0004', '0.0016', '0.0001') }, max_pixels: { S: 1048576, M: 1572864, L: 4194304 },
  defaults: { size: '1024x1024', quality: 'auto', quality_auto_is: 'medium', seconds: 5, resolution: '720p' },
  terms: { list: terms('1.00', '1.00', '1.00'), studio: terms('0.90', '0.85', '1.00'),
    agency: terms('0.88', '0.92', '0.95'), broadcast: terms('0.80', '0.75', '0.97') },
  rules: ['film: seconds x per_second', 'picture: pictures x (per_picture[quality][size class] + edit_fee if an edit)',
    'charge = list price x the factor of your terms for that shelf, rounded once per request to 0.000001 USD, half up',
    'pricing_version of a usage record is "<version of this book>/<your terms>"; /api/user/self names your terms too',
    'text: input_tokens are the ones not read from cache; cache_read_tokens cost cached_input; cache writes are free',
    'amount is what was taken, refunded_amount what was given back of it; your cost is amount - refunded_amount'] };
const SHELF = { image: 'pictures', video: 'films', text: 'text' }, TERMS = Object.keys(BOOK.terms)[between(1, 3)];
const nano = (s) => { const [whole, part = ''] = s.split('.'); return BigInt(whole + part.padEnd(9, '0')); };
const usd = (m) => `${m < 0n ? '-' : ''}${String(m < 0n ? -m : m).padStart(7, '0').replace(/(\d{6})$/, '.$1')}`;
const json = (body) => JSON.stringify(body, (key, v) => (typeof v === 'bigint' ? usd(v) : v));
function listPrice({ kind, item, u, film, pic }) { // exact, in 10^-12 USD; all other money is BigInt micro-USD
  if (kind === 'video') return 1000n * BigInt(film.seconds) * nano(item.per_second[film.resolution]);
  if (kind === 'image') return 1000n * BigInt(pic.n)
    * (nano(item.per_picture[pic.quality][pic.size_class]) + (pic.edit ? nano(item.edit_fee) : 0n));
  const { input, cached_input: cached = input, output } = item.per_1000_tokens;
  return BigInt(u.input) * nano(input) + BigInt(u.cached) * nano(cached) + BigInt(u.output) * nano(output);
}
function price(c, num = 1n, den = 1n) { // with terms, rounded half up to a micro-USD; an honest bill has num = den = 1
  const factor = nano(BOOK.terms[TERMS][SHELF[c.kind]]) / 10n ** 7n, unit = 10n ** 8n * den;
  return (2n * listPrice(c) * factor * num + unit) / (2n * unit);
}
const charge = (c) => { c.due = price(c); return rig.price?.(c) ?? c.due; };
const UNITS = 5n, records = [], BLANK = { result: 'running', billing_status: 'held', amount: 0n, reserved_amount: 0n,
  refunded_amount: 0n, input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0,
  usage_estimated: false, pricebook_id: BOOK.pricebook_id, pricing_version: `${BOOK.pricing_version}/${TERMS}` };
let credit = 100_000_000n, films = 0, failing = 0, inFlight = 0, base; // credit: $100; quota is told in UNITS
const taken = (r) => (r.billing_status === 'held' ? r.reserved_amount : r.amount - r.refunded_amount);
const book = (r, patch) => { credit += taken(r); credit -= taken(Object.assign(r, patch)); return r; };
function addRecord(fields) {
  const seq = records.length + 1, id = `use_${String(seq).padStart(8, '0')}`, receipt = `rc_${hex(10)}`;
  return book(records[records.push({ id, request_id: '', created_at: now(), ...BLANK, seq, receipt }) - 1], fields);
}
function openRecord(q, c, reserved_amount, more) {
  const text = `The balance of $${usd(credit)} cannot cover the estimated cost of $${usd(reserved_amount)}`;
  const code = 'insufficient_user_quota', request_id = q.rid, { model } = c;
  if (credit < reserved_amount || credit <= 0n) throw refusal(credit > 0n ? 403 : 402, code, text);
  q.res.setHeader('x-funding-receipt', (c.rec = addRecord({ request_id, model, reserved_amount, ...more })).receipt);
}
function settle(c) {
  const amount = c.price ?? charge(c), { input = 0, cached = 0, output = 0 } = c.recorded ?? c.u ?? {};
  const tokens = { input_tokens: input, cache_read_tokens: cached, output_tokens: output };
  rig.closed(Object.assign(c, { rec: book(c.rec, { billing_status: 'settled', amount, ...tokens }) }));
}
const settleSoon = (c, result) => { c.rec.result = result; setTimeout(settle, between(200, 700), c); };
const rig = plant(opt, { price, book, json, hex, addRecord, nano });
const refusal = (status, code, text, type = 'new_api_error') => Object.assign(Error(text), { status, code, type });
const bad = (text, status = 400, code = '') => refusal(status, code, text, 'invalid_request_error');
const parse = (raw) => { try { return JSON.parse(raw); } catch { return null; } };
const need = (ok, text) => { if (!ok) throw bad(text); return ok; };
const send = (q, status, body, type = 'application/json; charset=utf-8') =>
  q.res.writeHead(status, { 'content-type': type }).end(Buffer.isBuffer(body) ? body : json(body));
async function readBody({ req }) {
  const raw = Buffer.concat(await req.toArray());
  if (raw.length > 20 * 2 ** 20) throw bad('The body is larger than 20 MiB', 413);
  const boundary = /^multipart\/.*boundary="?([^";]+)/i.exec(req.headers['content-type'])?.[1];
  const body = boundary ? multipart(raw.toString('latin1'), boundary) : parse(raw);
  return need(body && typeof body === 'object' && !Array.isArray(body) && body, 'The body is not a JSON object');
}
const multipart = (raw, boundary) => Object.fromEntries(raw.split(`--${boundary}`).slice(1, -1)
  .map((part) => /[; ]name="([^"[]*)[^]*?\r\n\r\n([^]*)\r\n$/.exec(part) ?? [])
  .map(([, k, v = '']) => [k, k === 'n' ? Number(v) : Buffer.from(v, 'latin1').toString('utf8')]));
function newCall({ model, prompt }, kind) {
  const found = Object.keys(SHELF).find((k) => Object.hasOwn(BOOK[SHELF[k]], model)) ?? '';
  const item = BOOK[SHELF[found]]?.[model];
  need(typeof model === 'string' && model, 'model is required');
  if (!item) throw bad(`The model ${model} is not available here`, 404, 'model_not_found');
  need(found === kind, `The model ${model} is not served at this endpoint`);
  need(kind === 'text' || (typeof prompt === 'string' && prompt), 'prompt is required');
  return { kind, model, item, due: 0n, ok: rnd() >= 0.02 };
}
async function upstream(c) { // the work itself; now and then the upstream fails, and the hold is released
  await sleep(between(20, 90));
  if (!c.ok) book(c.rec, { billing_status: 'released', result: 'failed' });
  if (!c.ok) throw refusal(503, 'upstream_error', 'The model did not respond');
}
const WORDS = '달빛 바람 그림 영상 하늘 소리 나무 사람 color light frame scene river story music'.split(' ');
const tokens = (v) => (Array.isArray(v) ? v.reduce((n, part) => n + tokens(part), 0) // a token: up to 6 bytes of a word
  : v && typeof v === 'object' ? tokens(v.text ?? v.content ?? Array(64).fill('part')) // a part that is no text: 64
    : String(v ?? '').split(/\s+/).reduce((n, w) => n + Math.ceil(Buffer.byteLength(w) / 6), 0));
const FORMATS = { // of each format: the whole answer with its usage, and the stream: head, delta by delta, tail
  'chat/completions'({ id, created, model, text, full, u: { input, cached, output } }) {
    const usage = { prompt_tokens: input + cached, completion_tokens: output, total_tokens: input + cached + output,
      prompt_tokens_details: { cached_tokens: cached } }, end = full ? 'length' : 'stop', role = 'assistant';
    const answer = (fields, usage, object = 'chat.completion.chunk') => ({ id: `chatcmpl-${id}`, object, created, model,
      choices: fields ? [{ index: 0, finish_reason: null, ...fields }] : [], usage });
    return { head: [answer({ delta: { role, content: '' } })], delta: (content) => answer({ delta: { content } }),
      tail: [answer({ delta: {}, finish_reason: end }), answer(null, usage), '[DONE]'],
      whole: answer({ message: { role, content: text }, finish_reason: end }, usage, 'chat.completion') };
  },
  responses({ id, created: created_at, model, text, full, u: { input, cached, output } }) {
    const place = { item_id: `msg_${id}`, output_index: 0, content_index: 0 }, end = full ? 'incomplete' : 'completed';
    const usage = { input_tokens: input + cached, input_tokens_details: { cached_tokens: cached },
      output_tokens: output, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: input + cached + output };
    const part = (text) => ({ type: 'output_text', text, annotations: [] });
    const item = (status, ...content) => ({ id: `msg_${id}`, type: 'message', role: 'assistant', status, content });
    const answer = (status, output, usage, incomplete_details = null) => ({ response: { id: `resp_${id}`, created_at,
      object: 'response', model, status, error: null, incomplete_details, output, usage } });
    const last = answer(end, [item(end, part(text))], usage, full ? { reason: 'max_output_tokens' } : null);
    const event = (name, fields) => ({ type: `response.${name}`, ...fields });
    return { whole: last.response, delta: (delta) => event('output_text.delta', { ...place, delta }),
      head: [event('created', answer('in_progress', [], null)), event('output_item.added', { output_index: 0, item:
        item('in_progress') }), event('content_part.added', { ...place, part: part('') })],
      tail: [event('output_text.done', { ...place, text }), event('content_part.done', { ...place, part: part(text) }),
        event('output_item.done', { output_index: 0, item: last.response.output[0] }), event(end, last)] };
  },
  messages({ id, model, text, full, u: { input: input_tokens, cached, output: output_tokens } }) {
    const usage = { input_tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: cached, output_tokens };
    const end = { stop_reason: full ? 'max_tokens' : 'end_turn', stop_sequence: null }, index = 0;
    const whole = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [{ type: 'text', text }],
      ...end, usage }, begun = { ...whole, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
    const event = (type, fields) => ({ type, ...fields }), stop = event('message_stop');
    return { whole, head: [event('message_start', { message: begun }),
      event('content_block_start', { index, content_block: { type: 'text', text: '' } })],
    delta: (text) => event('content_block_delta', { index, delta: { type: 'text_delta', text } }),
    tail: [event('content_block_stop', { index }), event('message_delta', { delta: end, usage }), stop] };
  } };
async function text(q, b, style) {
  const c = newCall(b, 'text'), free = style === 'responses', list = free ? [b.input ?? []].flat() : b.messages;
  need(Array.isArray(list) && list.length, `${free ? 'input' : 'messages'} is required`);
  need(free || list.every((m) => typeof m?.role === 'string' && m.content !== undefined), 'role, content are required');
  const given = b.max_output_tokens ?? b.max_completion_tokens ?? b.max_tokens, max = given ?? 1e6;
  need(Number.isInteger(max) && max >= 1 && (given || style !== 'messages'), 'the token limit must be an integer >= 1');
  const all = list.reduce((n, m) => n + 3 + tokens(m), 0) + tokens(b.system) + tokens(b.instructions);
  openRecord(q, c, price({ ...c, u: { input: all, cached: 0, output: Math.min(max, 1024) } }));
  await upstream(c);
  const cached = c.item.per_1000_tokens.cached_input && all >= 8 && rnd() < 0.35 ? all >> 1 : 0;
  let at = 0, number = 0, want = between(20, 220), output = Math.min(want, max);
  const u = c.u = { input: all - cached, cached, output }, out = Array.from(Array(output), () => WORDS[between(0, 15)]);
  const answer = FORMATS[style]({ ...c, id: hex(12), created: now(), text: out.join(' '), full: want > output });
  if (b.stream !== true) { settleSoon(c, 'completed'); return send(q, 200, answer.whole); }
  q.res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  const emit = (e) => q.res.write((e.type ? `event: ${e.type}\n` : '') + `data: ${typeof e === 'string' ? e
    : json(free ? { ...e, sequence_number: number++ } : e)}\n\n`);
  answer.head.forEach(emit);
  for (const step = Math.ceil(output / between(3, 20)); at < output && !q.res.destroyed; at += step) {
    emit(answer.delta((at ? ' ' : '') + out.slice(at, at + step).join(' ')));
    await sleep(between(1, 3));
  }
  const { destroyed: cut } = q.res; // the client went away: what was made so far is billed, by estimate
  if (cut) Object.assign(c, { cut, u: { ...u, output: Math.min(at, output) } }).rec.usage_estimated = true;
  else answer.tail.forEach(emit);
  settleSoon(c, cut ? 'interrupted' : 'completed');
  return q.res.end();
}
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const MP4 = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp42\0\0\0\x08free\0\0\0\x08mdat', 'latin1');
const tasks = new Map(), or = (v, other) => (!v || v === 'auto' ? other : String(v));
const pictures = ({ pic: { n, size, quality } }, form) => ({ created: now(), size, quality, data: Array.from(Array(n),
  () => ({ url: '', b64_json: '', [form]: form === 'url' ? `${base}/files/${hex(12)}.png` : PNG })) });
const checkForm = (form) => need(/^(url|b64_json)$/.test(form) && form, 'response_format must be url or b64_json');
async function image(q, b, edit, job) {
  const c = newCall(b, 'image'), { n = 1 } = b, form = checkForm(b.response_format ?? 'url'), most = edit ? 1 : 4;
  if (job && !c.item.jobs) throw bad(`${b.model} has no image jobs`, 400, 'image_jobs_unsupported');
  need(!edit || (typeof b.image === 'string' && b.image), 'image is required');
  need(Number.isInteger(n) && n >= 1 && n <= most, `n must be from 1 to ${most}`);
  const size = or(b.size, BOOK.defaults.size), quality = or(b.quality, BOOK.defaults.quality_auto_is);
  const [, w, h] = /^([1-9]\d{1,3})x([1-9]\d{1,3})$/.exec(size) ?? [];
  const size_class = Object.entries(BOOK.max_pixels).find(([, most]) => w * h <= most)?.[0];
  need(c.item.per_picture[quality]?.[size_class], `size ${size} in quality ${quality} is not offered by ${b.model}`);
  Object.assign(c, { pic: { n, size, quality, size_class, edit, form }, ok: rnd() >= (job ? 0.12 : 0.02) });
  if (job) return send(q, 202, view(startTask(q, c, `job_${hex(12)}`)));
  openRecord(q, c, c.price = c.ok ? charge(c) : price(c));
  await upstream(c).then(() => settleSoon(c, 'completed'));
  return send(q, 200, pictures(c, form));
}
function video(q, b) { // of every four films one fails: the 2nd, 3rd or 4th of them
  const c = newCall(b, 'video'), seconds = Number(b.seconds ?? b.duration ?? BOOK.defaults.seconds);
  const resolution = b.resolution ?? (b.size ? `${Math.min(...String(b.size).split('x'))}p` : BOOK.defaults.resolution);
  need(Number.isInteger(seconds) && seconds >= 2 && seconds <= 15, 'seconds must be an integer from 2 to 15');
  need(Object.hasOwn(c.item.per_second, resolution), `resolution ${resolution} is not offered by ${b.model}`);
  need(!(b.image ?? b.input_reference) || (seconds <= 10 && resolution !== '1080p'), 'with reference: max 10 s, 720p');
  failing = films % 4 ? failing : between(1, 3);
  Object.assign(c, { film: { seconds, resolution }, ok: films % 4 !== failing, number: films + 1 });
  send(q, 200, view(startTask(q, c, `film_${hex(12)}`))); films += 1;
}
function startTask(q, c, id) { // tasks are paid in advance and given back when they fail
  c.price = c.ok || c.kind === 'video' ? charge(c) : price(c);
  openRecord(q, c, c.price, { receipt: id, billing_status: 'prepaid', amount: c.price, result: 'queued' });
  const task = { id, c, created_at: c.rec.created_at, status: 'queued', error: null };
  const turn = (status) => { task.status = c.rec.result = status; };
  const end = () => {
    turn(c.ok ? 'completed' : 'failed');
    if (c.ok) return settle(c);
    task.error = { code: 'generation_failed', message: `The work could not be finished (request id: ${q.rid})` };
    book(c.rec, { billing_status: 'refunded', refunded_amount: rig.refund?.(c) ?? c.price });
    return rig.closed(Object.assign(c, { due: 0n }));
  };
  [[turn, between(80, 250)], [end, between(400, 1300)]].forEach(([step, ms]) => setTimeout(step, ms, 'in_progress'));
  return tasks.set(id, task).get(id);
}
const view = ({ id, c, created_at, status, error }) => ({ model: c.model, status, created_at, error,
  ...(c.kind === 'image' ? { job_id: id, object: 'image.job' } : { id, object: 'video', ...c.film }) });
function readTask(q, kind, id, want, task = tasks.get(id)) {
  if (task?.c.kind !== kind) throw bad(`There is no such ${kind} task: ${id}`, 404, 'task_not_found');
  if (!want) return send(q, 200, view(task));
  if (task.status !== 'completed') throw bad(`The task is ${task.status}, not completed`, 409, 'task_not_completed');
  if (kind === 'video') return send(q, 200, MP4, 'video/mp4');
  return send(q, 200, pictures(task.c, checkForm(q.query.get('response_format') ?? task.c.pic.form)));
}
function selection({ query }) {
  const [before, start_time, end_time, ...texts] = ['before', 'start_time', 'end_time', 'model', 'request_id']
    .map((name) => query.get(name) ?? undefined), times = [start_time ?? '1', end_time ?? '1'];
  const from = before ? parse(Buffer.from(before, 'base64url')) : []; // [start, end, model, request_id, place]
  need(!before || (Array.isArray(from) && from.length === 5), 'before is not a cursor of this service');
  need(times.every((v) => /^\d{1,19}$/.test(v) && BigInt(v) >= 1n && BigInt(v) < 2n ** 63n), 'a time is not valid');
  const end = Number(end_time ?? from[1] ?? now() + 1); // the running second is inside
  const start = Number(start_time ?? from[0] ?? Math.max(1, end - 30 * 86400));
  const [model, rid] = texts.map((v, i) => (v || from[i + 2]) ?? ''), key = [start, end, model, rid];
  need(start < end && end - start <= 31 * 86400, 'the window must be positive and at most 31 days');
  need(model.length <= 191 && rid.length <= 64, 'model has at most 191 characters, request_id at most 64');
  need(!before || key.every((v, i) => v === from[i]), 'window and filters of the cursor must be kept');
  const rows = records.filter((r) => r.created_at >= start && r.created_at < end && (!model || r.model === model)
    && (!rid || r.request_id === rid || r.receipt === rid) && (!before || r.seq < from[4])).reverse();
  return { rows, key, window: { start_time: start, end_time: end } };
}
function usagePage(q) {
  const limit = Number(q.query.get('limit') ?? 25), { rows, key, window } = selection(q);
  need(Number.isInteger(limit) && limit >= 1, 'limit must be an integer of at least 1');
  const page = rows.slice(0, Math.min(limit, 200)), has_more = rows.length > page.length;
  const next_cursor = has_more ? Buffer.from(json([...key, page.at(-1).seq])).toString('base64url') : '';
  send(q, 200, { currency: 'USD', data: page.map(({ seq, receipt, ...r }) => r), next_cursor, has_more, ...window });
  rig.page?.(page);
}
const add = (rows, key, states = /./) => rows.reduce((n, r) => (states.test(r.billing_status) ? n + r[key] : n), 0n);
const sums = (rows) => ({ settled_amount: add(rows, 'amount', /settled|refunded/), pending_amount: add(rows,
  'reserved_amount', /held|prepaid/), refunded_amount: add(rows, 'refunded_amount'), records: rows.length,
unknown_records: rows.filter((r) => r.usage_estimated).length });
function usageTotals(q) {
  const { rows, window } = selection(q), day = (r) => new Date(r.created_at * 1000).toISOString().slice(0, 10);
  const groups = (name, by) => [...new Set(rows.map(by))].sort()
    .map((v) => ({ [name]: v, ...sums(rows.filter((r) => by(r) === v)) }));
  const all = rig.totals?.(sums(rows)) ?? sums(rows), by_model = groups('model', (r) => r.model);
  send(q, 200, { ...all, currency: 'USD', ...window, by_model, daily: groups('date', day) });
}
function account(q, own = q.path === '/api/user/self' && q.req.method === 'GET') {
  const message = !own ? 'Not found' : q.bearer !== ACCESS ? 'The system access token is missing or not valid'
    : q.req.headers['new-api-user'] !== USER ? 'New-Api-User is missing or does not own the token' : '';
  if (message) return send(q, own ? 401 : 404, { success: false, message });
  const all = sums(records), quota = Number(credit * UNITS), request_count = records.length;
  const used_quota = Number((all.settled_amount - all.refunded_amount) * UNITS);
  return send(q, 200, { success: true, data: { id: Number(USER), quota, used_quota, request_count, terms: TERMS } });
}
const KEY = `sk-kr-${hex(20)}`, ACCESS = `at${hex(18)}`, USER = String(between(1000, 99999));
const models = (q) => send(q, 200, { object: 'list', data: Object.values(SHELF).flatMap((shelf) =>
  Object.keys(BOOK[shelf]).map((id) => ({ id, object: 'model', shelf }))) });
const ROUTES = { 'GET /v1/models': models, 'GET /v1/usage': usageTotals, 'GET /v1/usage/requests': usagePage,
  'POST /v1/videos': video, 'POST /v1/videos/generations': video };
for (const style of Object.keys(FORMATS)) ROUTES[`POST /v1/${style}`] = (q, b) => text(q, b, style);
for (const what of ['generations', 'edits']) for (const job of ['', '/jobs'])
  ROUTES[`POST /v1/images/${what}${job}`] = (q, b) => image(q, b, what === 'edits', job !== '');
async function route(q) {
  const get = q.req.method === 'GET' ? q.path : '', name = `${q.req.method} ${q.path}`;
  if (get === '/pricing.usd.json') return send(q, 200, BOOK);
  if (/^\/files\/[0-9a-f]{24}\.png$/.test(get)) return send(q, 200, Buffer.from(PNG, 'base64'), 'image/png');
  if (q.path.startsWith('/api/')) return account(q);
  if (/^sk-(jp|us|eu)-\w+$/.test(q.token)) throw refusal(403, 'key_site_mismatch', 'Create a key on this site');
  if (q.token !== KEY && (q.token || get !== '/v1/models')) throw refusal(401, '', 'Invalid token');
  const task = /^\/v1\/(?:images\/jobs\/([^/]+)(\/result)?|videos\/([^/]+)(\/content)?)$/.exec(get);
  if (task) return readTask(q, task[1] ? 'image' : 'video', task[1] ?? task[3], task[2] ?? task[4]);
  if (!Object.hasOwn(ROUTES, name)) throw bad(`There is no ${name}`, 404);
  if (get) return ROUTES[name](q);
  if (inFlight >= 100) throw refusal(429, '', 'Too many calls in flight');
  inFlight += 1;
  try { return await ROUTES[name](q, await readBody(q)); } finally { inFlight -= 1; }
}
const server = http.createServer((req, res) => {
  const [path, search = ''] = req.url.split('?'), query = new URLSearchParams(search), rid = `req_${hex(12)}`;
  const bearer = /^Bearer\s+(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
  res.on('error', () => {}).setHeader('x-request-id', rid);
  route({ req, res, rid, bearer, token: bearer ?? req.headers['x-api-key'] ?? '', path, query }).catch((e) => {
    const { status, code, type, message } = e.status ? e : refusal(500, 'upstream_error', 'Service error');
    if (res.headersSent) return res.destroy();
    return send({ res }, status, { error: { message: `${message} (request id: ${rid})`, type, code } });
  });
});
server.listen(Number(opt.port ?? 0), '127.0.0.1', () => console.log(JSON.stringify({
  base_url: base = `http://127.0.0.1:${server.address().port}`, api_key: KEY, access_token: ACCESS, user_id: USER })));
process.on('SIGTERM', () => { rig.close?.(); process.exit(0); });
