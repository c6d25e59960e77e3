import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { LATENCY_PRESETS, latencyOf } from './latency-preset.ts';
import { latencyPlanJsonSchema, readLatency } from './read-latency.ts';

const PLAN = `preset: fast
ttft:
  uniform: { min_ms: 100, max_ms: 300 }
itl:
  fixed: { ms: 50 }
image:
  lognormal: { median_ms: 900, spread: 0.2 }
load_factor: 3
max_in_flight: 8
max_queue: 4
retry_after_s: 5
`;

function refusal(text: string): string {
  try {
    readLatency({ text, file: 'latency.yaml' });
  } catch (error) {
    if (error instanceof WeighbridgeError && error.exitCode === 2) return error.message;
    throw error;
  }
  throw new Error('the plan was accepted');
}

test('reads what is given and takes the rest from the preset', () => {
  expect(readLatency({ text: PLAN, file: 'latency.yaml' })).toEqual({
    ...latencyOf('fast'),
    ttft: { kind: 'uniform', min_ms: 100, max_ms: 300 },
    itl: { kind: 'fixed', ms: 50 },
    image: { kind: 'lognormal', median_ms: 900, spread: 0.2 },
    load_factor: 3,
    max_in_flight: 8,
    max_queue: 4,
    retry_after_s: 5,
  });
});

test.each(LATENCY_PRESETS)('a plan that names only the preset %s is that preset', (preset) => {
  expect(readLatency({ text: `preset: ${preset}`, file: 'f' })).toEqual(latencyOf(preset));
});

test('a bound of the preset can be taken away', () => {
  const text = 'preset: overloaded\nmax_in_flight: null\nload_factor: 1\n';
  expect(readLatency({ text, file: 'f' }).max_in_flight).toBeNull();
});

describe('refuses, with the place and what was meant', () => {
  test.each([
    ['an unknown preset', 'preset: fast', 'preset: fats', 'latency.yaml:1:9', 'did you mean "fast"?'],
    ['an unknown key', 'load_factor', 'load_facter', 'latency.yaml:8:1', 'did you mean "load_factor"?'],
    ['an unknown distribution', 'uniform', 'uniforn', 'latency.yaml:3:3', 'did you mean "uniform"?'],
    ['a negative time', 'ms: 50', 'ms: -1', 'latency.yaml:5:16', 'at least 0'],
    ['a missing parameter', ', spread: 0.2', '', 'latency.yaml:7:14', 'image.lognormal.spread'],
    ['a range upside down', 'max_ms: 300', 'max_ms: 99', 'latency.yaml:3:12', 'min_ms at most max_ms'],
    [
      'two distributions',
      'fixed: { ms: 50 }',
      'fixed: { ms: 50 }\n  uniform: { min_ms: 1, max_ms: 2 }',
      'latency.yaml:5:3',
      'exactly one of fixed, uniform, lognormal',
    ],
    ['a factor below 1', 'load_factor: 3', 'load_factor: 0.5', 'latency.yaml:8:14', 'at least 1'],
    ['a factor without a bound', 'max_in_flight: 8\n', '', 'latency.yaml:8:14', 'needs max_in_flight'],
  ])('%s', (_what, from, to, place, hint) => {
    const message = refusal(PLAN.replace(from, to));
    expect(message).toContain(place);
    expect(message).toContain(hint);
  });
});

test('the committed JSON Schema is that of the plan', () => {
  const committed: unknown = JSON.parse(
    readFileSync(new URL('latency-plan.schema.json', import.meta.url), 'utf8'),
  );
  expect(committed).toEqual(JSON.parse(JSON.stringify(latencyPlanJsonSchema())));
});
