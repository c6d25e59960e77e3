import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { chosenSource } from './check-boards.ts';
import { GrafanaStandIn } from './grafana-stand-in.test-support.ts';
import { boardFile } from './panel-queries.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TOKEN = 'glsa_standing_in_for_a_token';

const BOARDS = readdirSync(join(ROOT, 'dashboards/grafana')).map((name) =>
  boardFile.parse(JSON.parse(readFileSync(join(ROOT, 'dashboards/grafana', name), 'utf8'))),
);
const PANELS = BOARDS.flatMap(({ panels }) => panels).length;

async function standIn(answer: ConstructorParameters<typeof GrafanaStandIn>[1]) {
  const grafana = new GrafanaStandIn(TOKEN, answer);
  const url = await grafana.start();
  onTestFinished(() => grafana.stop());
  return { grafana, url };
}

async function check(url: string, { token = TOKEN, more = [] as readonly string[] } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'wb-grafana-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'token.txt');
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  const script = join(ROOT, 'scripts/grafana-check.ts');
  const child = spawn(process.execPath, [script, '--url', url, '--token-file', file, ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { status, out, err };
}

test('all boards come into one folder, and every panel is queried with no variable left over', async () => {
  const { grafana, url } = await standIn(() => 'data');
  const { status, out, err } = await check(url);
  expect(err).toBe(`Grafana 12.2.0 at ${url}\n`);
  expect(out).toBe(`9 boards, ${PANELS} panels: ${PANELS} with data, 0 without, 0 refused\n`);
  expect(status).toBe(0);
  expect([...grafana.boards].sort()).toEqual(BOARDS.map(({ uid }) => [uid, 'weighbridge']).sort());
  expect(grafana.queries).toHaveLength(
    BOARDS.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets)).length,
  );
  expect(grafana.queries.filter(({ expr }) => /\$(?!__)/.test(expr))).toEqual([]);
  // Grafana's own: its server fills them in by the width of the panel.
  expect(grafana.queries.filter(({ expr }) => expr.includes('[$__rate_interval]')).length).toBeGreaterThan(9);
  expect(new Set(grafana.queries.map(({ datasource }) => datasource.uid))).toEqual(new Set(['prom-uid']));
  // A second time the folder is there, and the boards are written over.
  expect((await check(url)).status).toBe(0);
});

test('panels without data are listed and are no fault; a refused query is one', async () => {
  const { url } = await standIn((expr) =>
    expr.startsWith('k6_') || expr.includes('k6_weighbridge') ? 'nothing' : 'data',
  );
  const daemonAlone = await check(url);
  expect(daemonAlone.status).toBe(0);
  expect(daemonAlone.out).toMatch(/^weighbridge-load: .+: no data$/m);
  expect(daemonAlone.out).toMatch(/ 0 refused\n$/);
  const { url: broken } = await standIn((expr) => (expr.startsWith('up{') ? 'error' : 'data'));
  const refused = await check(broken);
  expect(refused.status).toBe(1);
  expect(refused.out).toContain('weighbridge-daemon: Scraped: refused: bad_data: parse error\n');
});

test('a token that is refused, an address that does not answer and a wrong flag say so; the token is told nowhere', async () => {
  const { grafana, url } = await standIn(() => 'data');
  const refused = await check(url, { token: 'glsa_another' });
  expect(refused).toMatchObject({ status: 3, out: '' });
  expect(refused.err).toContain('GET /api/datasources: HTTP 401: {"message":"Invalid API key ***"}');
  await grafana.stop();
  const gone = await check(url);
  expect(gone).toMatchObject({ status: 3, err: `no Grafana answers at ${url}\n` });
  expect(await check(url, { more: ['--token', 'x'] })).toMatchObject({ status: 2, out: '' });
});

test('the data source is the one that is named, else the default, else the only one', () => {
  const source = (uid: string, isDefault = false) => ({
    uid,
    name: `name of ${uid}`,
    type: 'prometheus',
    isDefault,
  });
  expect(chosenSource([source('a'), source('b', true)], null)).toMatchObject({ uid: 'b' });
  expect(chosenSource([source('a'), source('b', true)], 'name of a')).toMatchObject({ uid: 'a' });
  expect(chosenSource([source('a'), source('b')], null)).toContain('name of a (a), name of b (b)');
  expect(chosenSource([], null)).toContain('no Prometheus data source');
  expect(chosenSource([source('a')], 'c')).toContain('no Prometheus data source c');
});
