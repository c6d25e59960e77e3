import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Counted by its bytes: of a gateway that counts tokens by a table, the counting would stand before its own receipt. */
export const MODEL = 'elm/elm-8b-instruct';
export const PROMPT = 'Count from one to twenty in English words, separated by commas.';
export const TOKENS = 48;
/** The shortest interval of a paid probe. */
export const EVERY_S = 10;

/** Not in step with anything: where first tokens come at even times, so do their disturbances. */
export const LATENCY = 'ttft: { uniform: { min_ms: 150, max_ms: 250 } }\nitl: { fixed: { ms: 10 } }\n';

const FORMATS = ['chat', 'responses', 'messages'];
const MOST_OF_A_TARGET = 60;

/** A configuration of so many streamed text probes of one gateway, at most 60 a target, and its free probes as they are. */
export function probeFile(dir: string, url: string, probes: number): string {
  const targets = Array.from({ length: Math.ceil(probes / MOST_OF_A_TARGET) }, (_, target) => ({
    name: `t${target}`,
    url,
    key: 'env:WEIGHBRIDGE_API_KEY',
    budget: { usd_per_hour: '100000', usd_per_day: '1000000' },
    concurrency: 16,
    probes: Array.from({ length: Math.min(MOST_OF_A_TARGET, probes) }, (_, probe) => ({
      name: `p${probe}`,
      api: FORMATS[probe % FORMATS.length],
      model: MODEL,
      stream: true,
      every: `${EVERY_S}s`,
      prompt: PROMPT,
      max_tokens: TOKENS,
    })),
  }));
  mkdirSync(dir, { recursive: true });
  const path = join(dir, 'weighbridge.yaml');
  // JSON is YAML, too.
  writeFileSync(path, JSON.stringify({ version: 1, probe: { series_limit: 20_000, targets } }));
  return path;
}
