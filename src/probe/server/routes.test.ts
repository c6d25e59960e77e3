import { gunzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { probeViewOf, rowOf, runOf, targetOf, viewOf } from '../view/daemon-view.test-support.ts';
import { fileOf, serverOf } from './probe-server.test-support.ts';

describe('the endpoints', () => {
  it('/metrics gives the format that is asked for, compressed if asked', async () => {
    const body = 'x 1\n'.repeat(1_000);
    const { ask } = await serverOf({ render: async (format) => ({ contentType: `a/${format}`, body }) });
    const plain = await ask('/metrics');
    expect([plain.status, plain.headers['content-type'], plain.text]).toEqual([200, 'a/text', body]);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const headers = { accept: 'application/openmetrics-text', 'accept-encoding': 'gzip' };
    const open = await ask('/metrics', { headers });
    expect(open.headers).toMatchObject({
      'content-type': 'a/openmetrics',
      'content-encoding': 'gzip',
      vary: 'Accept, Accept-Encoding',
    });
    expect(open.bytes.length).toBeLessThan(500);
    expect(gunzipSync(open.bytes).toString()).toBe(body);
  });

  it('HEAD gives the headers alone', async () => {
    const { ask } = await serverOf({});
    const answer = await ask('/config', { method: 'HEAD' });
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([200, '', '10']);
  });

  test.each([
    [viewOf({}), 200, 'ready\n'],
    [
      viewOf({ state: 'starting', not_ready: 'the task journal is read' }),
      503,
      'not ready: the task journal is read\n',
    ],
    [viewOf({ state: 'draining' }), 503, 'not ready: draining\n'],
    [
      viewOf({ not_ready: 'the state folder cannot be written' }),
      503,
      'not ready: the state folder cannot be written\n',
    ],
  ])('/-/ready %#: %i %s', async (view, status, text) => {
    const { ask } = await serverOf({ view: () => view });
    const ready = await ask('/-/ready');
    expect([ready.status, ready.text]).toEqual([status, text]);
    expect((await ask('/-/healthy')).status).toBe(200);
  });

  it('/-/reload takes POST only, and tells what was wrong', async () => {
    let problem: string | null = null;
    let asked = 0;
    const { ask } = await serverOf({
      reload: async () => {
        asked += 1;
        return problem === null ? { ok: true } : { ok: false, problem };
      },
    });
    const got = await ask('/-/reload');
    expect([got.status, got.headers.allow, asked]).toEqual([405, 'POST', 0]);
    expect(await ask('/-/reload', { method: 'POST' })).toMatchObject({ status: 200, text: 'reloaded\n' });
    problem = 'weighbridge.yaml:3:5 probe.every: must be a duration';
    const failed = await ask('/-/reload', { method: 'POST' });
    expect([failed.status, failed.text.includes(problem), asked]).toEqual([500, true, 2]);
  });

  it('a page of another site reloads nothing and runs nothing', async () => {
    let done = 0;
    const count = async () => {
      done += 1;
      return { ok: true } as const;
    };
    const view = () =>
      viewOf({ targets: [targetOf({ probes: [probeViewOf({ name: 'models', api: 'models' })] })] });
    const { ask, server } = await serverOf({ reload: count, runNow: count, view });
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      expect((await ask('/-/reload', { method: 'POST', headers })).status).toBe(403);
      expect((await ask('/probe?target=main&probe=models', { headers })).status).toBe(403);
    }
    expect(done).toBe(0);
    const own = { origin: server.url, host: `127.0.0.1:${server.port}` };
    expect((await ask('/-/reload', { method: 'POST', headers: own })).status).toBe(200);
  });

  it('on loopback and without auth, a name that a stranger may point here is refused', async () => {
    let done = 0;
    const count = async () => {
      done += 1;
      return { ok: true } as const;
    };
    const { ask } = await serverOf({ reload: count, runNow: count });
    for (const host of [
      'evil.example',
      'evil.example:9464',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
    ]) {
      // As a page of that very name asks: nothing in it is of another site.
      const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      for (const path of ['/', '/config', '/metrics', '/api/status', '/-/healthy', '/probe', '/nowhere']) {
        const answer = await ask(path, { headers });
        expect([host, path, answer.status]).toEqual([host, path, 421]);
        expect(answer.text).toContain('probe.auth');
      }
      expect((await ask('/-/reload', { method: 'POST', headers })).status).toBe(421);
    }
    expect(done).toBe(0);
    for (const host of [
      '127.0.0.1:9464',
      '[::1]:9464',
      '10.0.0.7',
      'localhost',
      'LocalHost.:80',
      'probe.localhost',
    ])
      expect([host, (await ask('/config', { headers: { host } })).status]).toEqual([host, 200]);
  });

  it('on other addresses, or with auth, it may be asked for by any name', async () => {
    const open = await serverOf({}, { host: '0.0.0.0' });
    expect((await open.ask('/config', { headers: { host: 'weighbridge:9464' } })).status).toBe(200);
    const auth = { kind: 'bearer', token_file: fileOf('reader-token-0123') } as const;
    const guarded = await serverOf({}, { auth });
    const headers = { host: 'probe.example', authorization: 'Bearer reader-token-0123' };
    expect((await guarded.ask('/config', { headers })).status).toBe(200);
  });

  it('/config gives the text as handed in, and no secret that slipped into it', async () => {
    const { ask, secrets } = await serverOf({ config: () => 'key: sk-slipped-0123\nport: 9464\n' });
    secrets.add('sk-slipped-0123');
    const answer = await ask('/config');
    expect(answer.headers['content-type']).toBe('text/yaml; charset=utf-8');
    expect(answer.text).toBe('key: ***\nport: 9464\n');
  });

  it('/api/status is the view, amounts as decimal strings', async () => {
    const budget = {
      hour: { spent: 1_500_000_000_000n, limit: 2_000_000_000_000n },
      day: { spent: 0n, limit: 1n },
      month: { spent: null, limit: null },
    };
    const run = runOf({ rows: [rowOf({})], spend: { reserved: 5n * 10n ** 9n, priced: null } });
    const target = targetOf({ budget, credit_units: 1_234_567n, probes: [probeViewOf({ runs: [run] })] });
    const { ask } = await serverOf({ view: () => viewOf({ targets: [target] }) });
    const status: unknown = JSON.parse((await ask('/api/status')).text);
    expect(status).toMatchObject({
      schema: 'weighbridge.status/1',
      state: 'ready',
      targets: [
        {
          budget: {
            hour: { spent: '1.5', limit: '2' },
            day: { spent: '0', limit: '0.000000000001' },
            month: { spent: null, limit: null },
          },
          credit_units: '1234567',
          probes: [{ runs: [{ spend: { reserved: '0.005', priced: null } }] }],
        },
      ],
    });
    expect(JSON.stringify(status)).not.toContain('"rows"');
  });

  it('no text of the view brings a secret out', async () => {
    const planted = 'zq"7kx\\<&>%01';
    const run = runOf({
      error_type: 'http_4xx',
      blame: 'probe',
      why: `found ${planted}`,
      request_id: planted,
    });
    const probes = [probeViewOf({ runs: [run], held: planted })];
    const reload = { successful: false, last_success_ms: 0, problem: planted };
    const view = viewOf({
      reload,
      targets: [targetOf({ probes, root: `https://u:${encodeURIComponent(planted)}@h` })],
    });
    const { ask, secrets } = await serverOf({ view: () => view });
    secrets.add(planted);
    for (const path of ['/', '/api/status', '/probe?target=main&probe=chat-aspen-mini', '/-/ready']) {
      const { text, status } = await ask(path);
      expect(status).toBe(200);
      expect(text).not.toContain('7kx');
      expect(path.startsWith('/-') || path.startsWith('/probe') || text.includes('***')).toBe(true);
    }
  });

  it('an unknown path names the known ones, a wrong method the right one', async () => {
    const { ask } = await serverOf({});
    const unknown = await ask('/metric');
    expect([unknown.status, unknown.text.includes('/metrics /-/healthy')]).toEqual([404, true]);
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'POST', 'PATCH']) {
      expect([method, (await ask('/', { method })).status]).toEqual([method, 405]);
    }
    expect((await ask('//evil.example/')).status).toBe(404);
  });

  it('every answer carries the headers, none allows another origin', async () => {
    const { ask } = await serverOf({});
    for (const path of ['/', '/metrics', '/config', '/nowhere', '/-/healthy']) {
      const { headers } = await ask(path, { headers: { origin: 'https://evil.example' } });
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('a fault of ours goes to the log, not to the reader', async () => {
    const fault = new Error('at /home/me/secret/place');
    const { ask, faults } = await serverOf({ render: () => Promise.reject(fault) });
    const answer = await ask('/metrics');
    expect([answer.status, answer.text]).toEqual([500, 'a fault of ours; the log has it\n']);
    expect(faults).toEqual([fault]);
  });
});
