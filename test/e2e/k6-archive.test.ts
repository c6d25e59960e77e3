import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { locateK6 } from '../../src/drive/locate-k6.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { SCRIPT } from '../support/k6-runners.ts';
import { cleanEnv, runWeighbridge, scratchDir } from '../support/run-weighbridge.ts';

const KEY = 'sk-archive-0123456789abcdef';

const requirements = z.object({ maxVUs: z.number(), totalDuration: z.string() });

/** A plan for three k6 whose calls need a key and a header that is a secret. */
async function planned(): Promise<string> {
  const dir = scratchDir();
  const { ready, close } = await startGateway({ port: 0, seed: 1 });
  onTestFinished(close);
  const config = join(dir, 'weighbridge.yaml');
  writeFileSync(
    config,
    `version: 1
target: { url: ${ready.base_url}, headers: { x-tenant: "env:TENANT", x-team: "file:${join(dir, 'team')}" } }
traffic: [{ kind: chat, rate: 1/s, max_in_flight: 30 }]
`,
  );
  writeFileSync(join(dir, 'team'), 'team-blue-0123456789\n');
  const args = ['plan', '--config', config, '--max-spend-usd', '5', '--instances', '3'];
  const { status, stderr } = await runWeighbridge(
    [...args, '--state', join(dir, 'state'), '--out', join(dir, 'plan.json')],
    { env: { WEIGHBRIDGE_API_KEY: ready.api_key, TENANT: KEY } },
  );
  expect(status, stderr).toBe(0);
  return dir;
}

/**
 * What the initializer of k6-operator v1.6.0 runs (pkg/resources/jobs/initializer.go): the script is archived with each
 * variable of its container as `-e NAME=value`, then the archive is inspected. It fails where either does, or one of their
 * lines tells an error.
 */
function initialize(dir: string, env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const archive = join(dir, 'mixed.ts.archived.tar');
  const given = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const k6 = (...all: readonly string[]) =>
    spawnSync(locateK6(process.env), all, { env: cleanEnv(env), encoding: 'utf8' });
  const archived = k6('archive', SCRIPT, ...given, '-O', archive, ...args);
  if (archived.status !== 0) return { status: archived.status, said: archived.stderr, archive };
  const inspected = k6('inspect', '--execution-requirements', archive);
  const said = archived.stderr + inspected.stderr;
  const status = /level.*error/.test(inspected.stderr) ? 1 : inspected.status;
  return { status, said, archive, found: inspected.stdout };
}

test('a script is archived and inspected without a key, and without the files that runners read', async () => {
  const dir = await planned();
  const path = { WEIGHBRIDGE_PLAN: join(dir, 'plan.json') };
  for (const env of [path, { ...path, WEIGHBRIDGE_API_KEY_FILE: '/keys/not-here' }]) {
    const { status, said, found } = initialize(dir, env);
    expect(status, said).toBe(0);
    // The operator starts no run of more runners than virtual users.
    expect(requirements.parse(JSON.parse(found ?? '')).maxVUs).toBeGreaterThanOrEqual(3);
  }
}, 120_000);

test('a credential as a variable of the container is refused, and never lands in an archive', async () => {
  const dir = await planned();
  const path = { WEIGHBRIDGE_PLAN: join(dir, 'plan.json') };
  for (const name of ['WEIGHBRIDGE_API_KEY', 'WEIGHBRIDGE_ACCESS_TOKEN', 'TENANT']) {
    const { status, said, archive } = initialize(dir, { ...path, [name]: KEY });
    expect(status).not.toBe(0);
    expect(said).toContain(`found one in ${name}`);
    expect(said).not.toContain(KEY);
    expect(existsSync(archive)).toBe(false);
  }
  // One that the operator does not repeat as a flag (envFrom), with all variables asked for.
  const archive = join(dir, 'all.tar');
  const { status, stderr } = spawnSync(
    locateK6(process.env),
    ['archive', '--include-system-env-vars', SCRIPT, '-O', archive],
    { env: cleanEnv({ ...path, WEIGHBRIDGE_API_KEY: KEY, TENANT: KEY, SEEN: 'seen-too' }), encoding: 'utf8' },
  );
  expect(status, stderr).toBe(0);
  const content = readFileSync(archive, 'latin1');
  expect(content).toContain('seen-too');
  expect(content).not.toContain(KEY);
}, 120_000);
