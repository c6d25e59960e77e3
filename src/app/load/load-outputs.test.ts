import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ResolvedMetrics } from '../../config/resolved-config.ts';
import { loadOutputs } from './load-outputs.ts';

const dir = mkdtempSync(join(tmpdir(), 'wb-outputs-'));
afterAll(() => rmSync(dir, { recursive: true }));

function writing(more: Partial<NonNullable<ResolvedMetrics['remote_write']>> = {}): ResolvedMetrics {
  const url = 'https://metrics.example/api/v1/write';
  return { remote_write: { url, username: null, password: null, bearer_token: null, ...more } };
}

describe('loadOutputs', () => {
  it('adds nothing where nothing is asked for', () => {
    expect(loadOutputs({ remote_write: null }, {})).toEqual({ outputs: [], env: {} });
  });

  it('keeps the outputs of K6_OUT, but never a second ledger, and adds the remote write once', () => {
    const env = { K6_OUT: 'json=a.json,weighbridge=elsewhere,experimental-prometheus-rw' };
    const asked = ['json=a.json', 'experimental-prometheus-rw'];
    expect(loadOutputs({ remote_write: null }, env)).toEqual({ outputs: asked, env: {} });
    expect(loadOutputs(writing(), env).outputs).toEqual(asked);
    expect(loadOutputs(writing(), { K6_OUT: 'csv=a' }).outputs).toEqual([
      'csv=a',
      'experimental-prometheus-rw',
    ]);
  });

  it('reads what the configuration refers to, and the environment wins over it', () => {
    const file = join(dir, 'password');
    writeFileSync(file, 'correct-horse\n');
    const basic = writing({ username: 'u', password: `file:${file}` });
    expect(loadOutputs(basic, {}).env).toEqual({
      K6_PROMETHEUS_RW_SERVER_URL: 'https://metrics.example/api/v1/write',
      K6_PROMETHEUS_RW_USERNAME: 'u',
      K6_PROMETHEUS_RW_PASSWORD: 'correct-horse',
    });
    const token = writing({ bearer_token: 'env:PUSH_TOKEN' });
    const said = { PUSH_TOKEN: 'token-of-ours', K6_PROMETHEUS_RW_SERVER_URL: 'http://127.0.0.1:1' };
    expect(loadOutputs(token, said).env).toEqual({ K6_PROMETHEUS_RW_BEARER_TOKEN: 'token-of-ours' });
  });

  it('refuses a credential that is not there, by its key', () => {
    expect(() => loadOutputs(writing({ bearer_token: 'env:PUSH_TOKEN' }), {})).toThrow(
      'metrics.remote_write.bearer_token: the environment variable PUSH_TOKEN is not set or empty',
    );
  });
});
