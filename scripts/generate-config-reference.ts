/**
 * Writes docs/config.md from the schema of weighbridge.yaml and its defaults.
 * `node scripts/generate-config-reference.ts` writes; with `--check` it changes nothing and exits 1 on a difference.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { configSchema } from '../src/config/config-schema.ts';
import { DEFAULTS } from '../src/config/defaults.ts';
import { formatDuration } from '../src/config/duration.ts';
import { PROBE_DEFAULTS } from '../src/config/probe-defaults.ts';
import { flagName, SETTING_ENV, SETTING_KEYS } from '../src/config/settings.ts';
import { READING_VALUES } from '../src/contracts/billing-readings.ts';
import { NO_TERMS } from '../src/contracts/billing-terms.ts';

type Node = z.core.JSONSchema.JSONSchema;

const FILE = new URL('../docs/config.md', import.meta.url);
const { traffic, retry, http, stop } = DEFAULTS;

/** Default of each key that has one. */
const DEFAULT_OF: Readonly<Record<string, string | number | boolean>> = {
  'target.key': DEFAULTS.key,
  'target.stream_end': 'auto',
  duration: DEFAULTS.duration,
  seed: DEFAULTS.seed,
  drain: DEFAULTS.drain,
  warm_up: DEFAULTS.warm_up,
  cool_down: DEFAULTS.cool_down,
  calls_per_vu: DEFAULTS.calls_per_vu,
  keep_text: DEFAULTS.keep_text,
  ...under('retry', retry),
  'http.debug': http.debug,
  'http.http2': http.http2,
  'http.reuse': http.reuse,
  ...under('http.dns', http.dns),
  'http.insecure_skip_tls_verify': http.insecure_skip_tls_verify,
  ...under('limits.stop', stop),
  ...under('timeouts', DEFAULTS.timeouts),
  traffic: 'the default plan',
  rate_scale: '1',
  'traffic[].arrival': traffic.arrival,
  'traffic[].max_in_flight': traffic.max_in_flight,
  'traffic[].stream': traffic.stream,
  'traffic[].prompt_tokens': traffic.prompt_tokens,
  'traffic[].max_tokens': traffic.max_tokens,
  'traffic[].max_tokens_key': 'auto',
  'traffic[].cached_share': traffic.cached_share,
  'traffic[].prompts.order': traffic.prompts_order,
  'traffic[].session.think': traffic.think,
  'trace.speed': DEFAULTS.trace.speed,
  'trace.max_in_flight': traffic.max_in_flight,
  'trace.stream': traffic.stream,
  'trace.prompt_tokens': traffic.prompt_tokens,
  'trace.max_tokens': traffic.max_tokens,
  'traffic[].size': `${traffic.image_size}; videos ${traffic.video_size}`,
  'traffic[].quality': traffic.quality,
  'traffic[].response_format': traffic.response_format,
  'traffic[].multipart': traffic.multipart,
  'traffic[].seconds': traffic.seconds,
  'tolerances.min_checked': DEFAULTS.tolerances.min_checked,
  'tolerances.gate': DEFAULTS.tolerances.gate,
  'tolerances.gate_usd': DEFAULTS.tolerances.gate_usd,
  'billing.book.adapter': 'auto',
  ...under('billing.policy', { ...NO_TERMS.policy }),
  ...under(
    'billing.readings',
    Object.fromEntries([...Object.keys(READING_VALUES), 'rounding'].map((name) => [name, 'auto'])),
  ),
  'billing.deadlines.text': formatDuration(NO_TERMS.deadlines.text_ms),
  'billing.deadlines.task': formatDuration(NO_TERMS.deadlines.task_ms),
  'billing.deadlines.refund': formatDuration(NO_TERMS.deadlines.refund_ms),
  'settle.wait': DEFAULTS.settle.wait,
  'settle.poll': DEFAULTS.settle.poll,
  'probe.listen': PROBE_DEFAULTS.listen,
  'probe.series_limit': PROBE_DEFAULTS.series_limit,
  'probe.reconcile': PROBE_DEFAULTS.reconcile,
  'probe.drain': PROBE_DEFAULTS.drain,
  'probe.concurrency': PROBE_DEFAULTS.concurrency,
  ...probed('text', ['every', 'timeout', 'max_tokens', 'stream']),
  ...probed('images', ['every', 'timeout', 'task_timeout', 'size', 'quality']),
  ...probed('videos', ['every', 'timeout', 'task_timeout', 'size', 'seconds']),
  ...probed('free', ['models', 'pricebook', 'usage', 'usage_requests', 'account']),
  ...probed('negative', ['every', 'timeout']),
};

/** Defaults of a sort of probes; prompts are told in words. */
function probed<S extends 'text' | 'images' | 'videos' | 'free' | 'negative'>(
  sort: S,
  keys: readonly (keyof (typeof PROBE_DEFAULTS)[S] & string)[],
): Record<string, string | number> {
  const defaults: Readonly<Record<string, string | number>> = PROBE_DEFAULTS[sort];
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = defaults[key];
      return value === undefined ? [] : [[`probe.${sort}.${key}`, value]];
    }),
  );
}

function under(
  section: string,
  defaults: Readonly<Record<string, string | number>>,
): Record<string, string | number> {
  return Object.fromEntries(Object.entries(defaults).map(([key, value]) => [`${section}.${key}`, value]));
}

const SETS: Readonly<Record<keyof typeof SETTING_ENV, string>> = {
  target: '`target.url`',
  maxSpendUsd: '`spend.max_usd`',
  duration: '`duration`',
  rateScale: 'every rate, times a decimal factor',
  seed: '`seed`',
  nonce: 'the text that seeds the markers in prompts; without it, each run has a new one',
  keepCredit: '`limits.keep_credit`',
  dialect: '`target.dialect`',
};

interface Row {
  readonly path: string;
  readonly node: Node;
  readonly required: boolean;
}

function rowsOf(node: Node, path: string): Row[] {
  const own = Object.entries(node.properties ?? {}).flatMap(([key, inner]) => {
    if (typeof inner === 'boolean') return [];
    const name = path === '' ? key : `${path}.${key}`;
    return [
      { path: name, node: inner, required: node.required?.includes(key) ?? false },
      ...rowsOf(inner, name),
    ];
  });
  const { items, additionalProperties } = node;
  // A mapping that may stand in place of a plain value; the keys of a distribution have a table of their own.
  const instead = (node.anyOf ?? []).flatMap((inner) =>
    typeof inner !== 'object' || isDistribution(inner) ? [] : rowsOf(inner, path),
  );
  const entries = typeof items === 'object' && !Array.isArray(items) ? rowsOf(items, `${path}[]`) : [];
  const named = typeof additionalProperties === 'object' ? rowsOf(additionalProperties, `${path}.<id>`) : [];
  return [...own, ...instead, ...entries, ...named];
}

function isDistribution(node: Node): boolean {
  return node.properties?.['distribution'] !== undefined;
}

/** The keys of the first distribution that the schema has: all have the same. */
function distributionRows(all: readonly Row[]): Row[] {
  const found = all
    .flatMap(({ node }) => node.anyOf ?? [])
    .find((node) => typeof node === 'object' && isDistribution(node));
  if (typeof found !== 'object') throw new Error('the schema has no distribution');
  return rowsOf(found, '');
}

/** A key of a probe target that the section has as well is told there. */
function isOfSection(path: string): boolean {
  const shared = path.replace(/^probe\.targets\[\]\./, 'probe.');
  return shared !== path && rows.some((row) => row.path === shared);
}

function line({ path, node, required }: Row): string {
  const fallback = DEFAULT_OF[path];
  const values =
    node.enum === undefined ? '' : ` One of ${node.enum.map((value) => `\`${value}\``).join(', ')}.`;
  const shown = required ? 'required' : fallback === undefined ? '' : `\`${fallback}\``;
  return `| \`${path}\` | ${shown} | ${node.description ?? ''}${values} |`;
}

const rows = rowsOf(z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }), '');
const unknown = Object.keys(DEFAULT_OF).filter((path) => !rows.some((row) => row.path === path));
if (unknown.length > 0) throw new Error(`defaults without a key in the schema: ${unknown.join(', ')}`);

const text = `<!-- Generated by scripts/generate-config-reference.ts: change the schema in src/config, not this file. -->
# weighbridge.yaml

This page lists every key of the configuration. A flag overrides the environment, the environment overrides the file,
and the file overrides the default. \`weighbridge plan\` prints every value that is not the default, with its origin.

The file is \`--config\`, else \`WEIGHBRIDGE_CONFIG\`, else \`./weighbridge.yaml\`, else the default plan. An unknown key
or a bad value is refused (exit 2). The error names file, line, column, the rule and the nearest known key.

- **Durations** are text: \`30s\`, \`2m\`, \`1m30s\`, \`250ms\`.
- **Rates** are text: \`4/s\`, \`30/min\`, \`90/h\`. A rate must give a whole number of calls in 1000 s. Others are
  refused and never rounded.
- **Money** is quoted text: \`"2.00"\`. A bare number is refused, because it has already passed through a float.
- **Secrets** are never in this file. Use \`WEIGHBRIDGE_API_KEY\`, \`WEIGHBRIDGE_ACCESS_TOKEN\` and
  \`WEIGHBRIDGE_USER_ID\`, or \`…_FILE\` with a path. \`probe:\` and \`metrics:\` name the source of their secrets as
  \`env:NAME\` or \`file:PATH\`.

| key | default | meaning |
|---|---|---|
${rows
  .filter(({ node, path }) => node.description !== undefined && !isOfSection(path))
  .map(line)
  .join('\n')}

## Distributions

Some numbers and durations may be a distribution: a mapping of these keys. [load.md](load.md#sizes) says how values are
drawn from it.

| key | default | meaning |
|---|---|---|
${distributionRows(rows).map(line).join('\n')}

## Flags and environment

| flag | environment | sets |
|---|---|---|
${SETTING_KEYS.map((key) => `| \`${flagName(key)}\` | \`${SETTING_ENV[key]}\` | ${SETS[key]} |`).join('\n')}
`;

if (process.argv.includes('--check')) {
  const same = existsSync(FILE) && readFileSync(FILE, 'utf8') === text;
  if (!same) console.error('docs/config.md differs from what the schema gives');
  process.exitCode = same ? 0 : 1;
} else {
  writeFileSync(FILE, text);
}
