import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readOptions as auditBench } from '../bench/audit/bench-options.ts';
import { readOptions as engineBench } from '../bench/engine/bench-options.ts';
import { UNWATCHED } from '../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../src/cli/program.ts';
import { targetFolderName } from '../src/contracts/target-folder-name.ts';
import { startGateway } from '../src/gateway/start-gateway.ts';
import { PAGES, shownOn } from './support/docs/shown-commands.ts';
import { ROOT } from './support/run-weighbridge.ts';

const TARGET = 'https://gateway.example';
const dir = mkdtempSync(join(tmpdir(), 'wb-page-commands-'));
let gateway: Awaited<ReturnType<typeof startGateway>>;

beforeAll(async () => {
  gateway = await startGateway({ port: 0, seed: 1, latency: 'fast' });
  writeFileSync(join(dir, 'key.txt'), gateway.ready.api_key, { mode: 0o600 });
});
afterAll(async () => {
  await gateway.close();
  rmSync(dir, { recursive: true });
});

/** The one command of the page that begins so, without the environment that stands before it. */
function shown(file: string, start: string): readonly string[] {
  const found = shownOn(file)
    .commands.filter(({ block }) => block)
    .map(({ command }) => command.replace(/^(?:WEIGHBRIDGE_\w+=\S+ )+/, ''))
    .filter((command) => command.startsWith(`weighbridge ${start}`));
  const [only = '', ...more] = found;
  expect({ file, start, more, found: only !== '' }).toEqual({ file, start, more: [], found: true });
  return only
    .split(' ')
    .slice(1)
    .map(
      (word) => ({ [TARGET]: gateway.ready.base_url, 'https://host': gateway.ready.base_url })[word] ?? word,
    );
}

async function weighbridge(args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) {
  const out: string[] = [];
  const status = await runProgram(args, {
    out: (line) => out.push(line),
    err: (line) => out.push(line),
    ...UNWATCHED,
    width: 120,
    env: { WEIGHBRIDGE_API_KEY_FILE: join(dir, 'key.txt'), ...env },
  });
  return { status, said: out.join('\n') };
}

test('docs/watch.md: pull stores what the gateway serves under the state, and says so', async () => {
  const state = join(dir, 'pull');
  const { status, said } = await weighbridge([...shown('docs/watch.md', 'pull'), '--state', state]);
  expect(status, said).toBe(0);
  for (const what of ['pricebook: version', 'models (key)', 'models (none)', 'records (30d)'])
    expect(said).toContain(what);
  const archive = join(state, targetFolderName(gateway.ready.base_url), 'archive');
  expect(readdirSync(archive).length).toBeGreaterThan(1);
});

test('docs/install.md: init writes the file that the page tells of', async () => {
  const file = join(dir, 'init.yaml');
  const { status, said } = await weighbridge([...shown('docs/install.md', 'init'), '--out', file]);
  expect(status, said).toBe(0);
  expect(said).toMatch(/^total: \d+ calls, expected \$/m);
  const { status: planned } = await weighbridge(['plan', '--config', file]);
  expect(planned).toBe(0);
});

test('docs/price-lists.md: the list of the page is read in full, and used by a plan', async () => {
  const page = readFileSync(join(ROOT, 'docs/price-lists.md'), 'utf8');
  const [list = '', used = ''] = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = '']) => text);
  const [, output = ''] = /^```text\n(.*?)^```/ms.exec(page) ?? [];
  writeFileSync(join(dir, 'prices.yaml'), list);
  const preview = shown('docs/price-lists.md', 'pricebook preview prices.yaml');
  const read = await weighbridge(preview.map((word) => (word === 'prices.yaml' ? join(dir, word) : word)));
  expect(read).toEqual({ status: 0, said: output.trimEnd() });
  expect((await weighbridge(shown('docs/price-lists.md', 'pricebook preview https'))).status).toBe(0);
  const config = join(dir, 'priced.yaml');
  writeFileSync(config, `${used}traffic: [{ kind: chat, model: aspen-mini, rate: 1/s }]\n`);
  const target = ['--target', gateway.ready.base_url, '--max-spend-usd', '5'];
  const planned = await weighbridge(['plan', '--config', config, ...target]);
  expect(planned.status, planned.said).toBe(0);
  expect(planned.said).toContain('total: 60 calls, expected $0.008544');
});

const doctorSchema = z.object({ examined: z.array(z.object({ name: z.string() })) });

test('docs/install.md: doctor looks at what the table of the page names, and at nothing else', async () => {
  const more = [
    '--target',
    gateway.ready.base_url,
    '--out',
    join(dir, 'reports'),
    '--state',
    join(dir, 'state'),
  ];
  const k6 = join(dir, 'k6');
  writeFileSync(k6, '#!/bin/sh\necho "k6 v2.2.0 (go1.26)"; echo "   , k6/x/weighbridge [js]"\n', {
    mode: 0o755,
  });
  const { said } = await weighbridge([...shown('docs/install.md', 'doctor'), ...more, '--json'], {
    PATH: process.env['PATH'],
    WEIGHBRIDGE_K6: k6,
  });
  const { examined } = doctorSchema.parse(JSON.parse(said.split('\n')[0] ?? ''));
  const page = readFileSync(join(ROOT, 'docs/install.md'), 'utf8');
  const [, table = ''] = /^\| line \|(.+?)\n\n/ms.exec(page) ?? [];
  const named = [...table.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  expect(examined.map(({ name }) => name).sort()).toEqual(named.sort());
});

/** A shell that finds a `weighbridge` which says what ours says, without a start of Node for each. */
function inShell(shell: string, args: readonly string[], program: string): string {
  const env = { ...process.env, HOME: dir, PATH: `${join(dir, 'bin')}:${process.env['PATH'] ?? ''}` };
  const done = spawnSync(shell, [...args, '-c', program], { cwd: dir, encoding: 'utf8', env });
  expect(done.stderr).toBe('');
  return done.stdout;
}

test('docs/install.md: the lines for bash, zsh and fish make each of them complete the command', async () => {
  mkdirSync(join(dir, 'bin'));
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(dir, `completion ${shell}`), (await weighbridge(['completion', shell])).said);
  writeFileSync(join(dir, 'bin/weighbridge'), `#!/bin/sh\nexec cat '${dir}'/"$*"\n`, { mode: 0o755 });
  const [bash = '', fish = ''] = shownOn('docs/install.md')
    .commands.filter(({ command, block }) => block && command.includes('completion'))
    .map(({ command }) => command);
  expect(inShell('bash', ['--norc'], `${bash}\ncomplete -p weighbridge`)).toBe(
    'complete -F _weighbridge weighbridge\n',
  );
  // The page says of zsh: likewise.
  const zsh = bash.replace('completion bash', 'completion zsh');
  expect(inShell('zsh', ['-f'], `${zsh}\nprint $_comps[weighbridge]`)).toContain('_weighbridge');
  expect(inShell('fish', ['--no-config'], `${fish}\ncomplete -C 'weighbridge rec'`)).toMatch(/^reconcile/);
});

test('docs/evidence.md: a CSV file of any layout is audited with the mapping of the page', async () => {
  const { base_url, api_key } = gateway.ready;
  const started = Date.now();
  const answer = await fetch(`${base_url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'aspen-mini',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'A mill?' }],
    }),
  });
  const { usage } = z
    .object({ usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }) })
    .parse(await answer.json());
  // What is read ends before the second that is under way.
  const over = Math.ceil(Date.now() / 1000 + 0.001) * 1000;
  await expect.poll(() => Date.now()).toBeGreaterThanOrEqual(over);
  const page = readFileSync(join(ROOT, 'docs/evidence.md'), 'utf8');
  const [, columns = ''] = /^```yaml\n(columns:.*?)^```/ms.exec(page) ?? [];
  const files = { 'columns.yaml': columns, 'calls.csv': '' };
  files['calls.csv'] = [
    'id,gateway id,what,model,when,result,code,in,out',
    `a-1,${answer.headers.get('x-request-id')},completion,aspen-mini,${started},done,200,${usage.prompt_tokens},${usage.completion_tokens}`,
    '',
  ].join('\n');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const args = shown('docs/evidence.md', 'reconcile --ledger calls.csv').map((word) =>
    word in files || word === 'key.txt' ? join(dir, word) : word,
  );
  const { status, said } = await weighbridge([
    ...args,
    '--out',
    join(dir, 'csv'),
    '--state',
    join(dir, 'state'),
  ]);
  expect(status, said).toBe(0);
  expect(said).toMatch(/findings +none/);
});

/** Flags as a page shows them: without brackets, and of a choice the first. */
function asGiven(command: string): readonly string[] {
  return command
    .replace(/^npm run \S+( -- )?/, '')
    .replaceAll(/[[\]]/g, '')
    .replaceAll(/,…|\|\S+/g, '')
    .split(' ')
    .filter((word) => word !== '');
}

test('docs/bench.md: the benches take the flags that are shown, and none that is not', () => {
  const benches = shownOn('docs/bench.md').commands.map(({ command }) => command);
  const of = (name: string) => {
    const found = benches.filter((command) => command.startsWith(`npm run bench:${name} -- `));
    expect(found).toHaveLength(1);
    return asGiven(found[0] ?? '');
  };
  expect(auditBench(of('audit'))).toMatchObject({ seeds: 5, instances: 2, honest: 20, lanes: 2, json: true });
  expect(() => auditBench([...of('audit'), '--sedes', '1'])).toThrow('--sedes');
  const engine = of('engine').map((word) => ({ SUITE: 'streams', N: '3' })[word] ?? word);
  expect(engineBench(engine)).toMatchObject({ quick: true, only: ['streams'], reps: 3, levels: [500, 1000] });
  expect(readFileSync(join(ROOT, 'xk6/ledger/writer_bench_test.go'), 'utf8')).toMatch(
    /^func Benchmark\w*Lines/m,
  );
  expect(existsSync(join(ROOT, 'bench/gateway/books.ts'))).toBe(true);
  for (const name of ['probe', 'reconcile', 'peers']) {
    const source = readFileSync(join(ROOT, `bench/${name}/main.ts`), 'utf8');
    const [, options = ''] = /parseArgs\(\{\n {2}options: \{(.+?)\n {2}\}/s.exec(source) ?? [];
    const known = [...options.matchAll(/^ {4}(\w+): \{/gm)].map(([, flag = '']) => `--${flag}`);
    expect(
      of(name)
        .filter((word) => word.startsWith('--'))
        .sort(),
    ).toEqual(known.sort());
  }
});

test('docs/requirements.md: the flags that are shown are read by the program', () => {
  const shown = shownOn('docs/requirements.md').commands.filter(
    ({ command, block }) => block && command.startsWith('npm run requirements -- '),
  );
  expect(shown).toHaveLength(3);
  // One start for all of them. Of several seeds the last one holds: it reads every flag, and refuses before it breaks anything.
  const args = [...shown.flatMap(({ command }) => asGiven(command)), '--seed', 'none'];
  const done = spawnSync(process.execPath, [join(ROOT, 'scripts/requirements.ts'), ...args], {
    encoding: 'utf8',
  });
  expect(done).toMatchObject({ status: 2, stderr: expect.stringContaining('--seed: expected an integer') });
});

const scripts = z.object({ scripts: z.record(z.string(), z.string()) });

test('CONTRIBUTING.md: scripts and tests that are named exist', () => {
  const { scripts: known } = scripts.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const commands = PAGES.flatMap((file) => shownOn(file).commands.map(({ command }) => command));
  const called = commands.flatMap((command) => {
    const [, name] = /^(?:\w+=\S+ )?npm (?:run )?(?!pack|install)([\w:-]+)/.exec(command) ?? [];
    return name ?? [];
  });
  expect(called.length).toBeGreaterThan(20);
  expect(called.filter((name) => !(name in known))).toEqual([]);
  const vitest = commands.filter((command) => command.startsWith('npx vitest run --project '));
  expect(vitest.length).toBeGreaterThan(2);
  const projects = readFileSync(join(ROOT, 'vitest.config.ts'), 'utf8');
  for (const command of vitest) {
    const [project = '', path = ''] = command.split(' ').slice(4);
    expect(projects).toContain(`name: '${project}'`);
    expect({ path, exists: existsSync(join(ROOT, path)) }).toEqual({ path, exists: true });
  }
});

test('docs/dashboards.md: promtool takes the rules', () => {
  const shown = shownOn('docs/dashboards.md').commands.map(({ command }) => command);
  const [check = ''] = shown.filter((command) => command.startsWith('promtool check rules'));
  const done = spawnSync('sh', ['-euc', check], { cwd: ROOT, encoding: 'utf8' });
  expect(done.stdout).toMatch(/SUCCESS: \d+ rules found/);
  const [tested = ''] = shown.filter((command) => command.startsWith('promtool test rules'));
  expect(existsSync(join(ROOT, tested.split(' ').at(-1) ?? ''))).toBe(true);
});

test('docs/scheduled-runs.md: the units go where the page puts them, hold there, and can be enabled', () => {
  const root = join(dir, 'root');
  const units = join(root, 'etc/systemd/system');
  mkdirSync(units, { recursive: true });
  const lines = shownOn('docs/scheduled-runs.md')
    .commands.map(({ command }) => command)
    .filter((command) => /^(?:sudo|systemd-analyze) /.test(command))
    // Into a folder in place of the system, without the rights that only this asks for; nothing is started.
    .map((command) =>
      command
        .replace(/^sudo /, '')
        .replaceAll('/etc/systemd/system/', `${units}/`)
        .replace('systemctl enable --now', `systemctl --root=${root} enable`),
    );
  expect(lines).toHaveLength(4);
  const [copy = '', ...rest] = lines;
  const sh = (command: string) => spawnSync('sh', ['-euc', command], { cwd: ROOT, encoding: 'utf8' });
  expect(sh(copy)).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(units)).toHaveLength(8);
  for (const name of readdirSync(units)) {
    const text = readFileSync(join(units, name), 'utf8');
    const here = text.replaceAll('/usr/bin/node', process.execPath).replaceAll('/opt/weighbridge', ROOT);
    writeFileSync(join(units, name), here);
  }
  for (const line of rest) expect({ line, ...sh(line) }).toMatchObject({ line, status: 0 });
  expect(readdirSync(join(units, 'timers.target.wants')).sort()).toEqual([
    'weighbridge-audit.timer',
    'weighbridge-month.timer',
    'weighbridge-reconcile.timer',
    'weighbridge-run.timer',
  ]);
});

test('docs/dashboards.md: the lines for Prometheus make a configuration that it takes, and flags that it has', () => {
  const [sed = '', prometheus = ''] = shownOn('docs/dashboards.md')
    .commands.map(({ command }) => command)
    .filter((command) => /^(?:sed|prometheus) /.test(command));
  cpSync(join(ROOT, 'dashboards'), join(dir, 'dashboards'), { recursive: true });
  const sh = (command: string) => spawnSync('sh', ['-euc', command], { cwd: dir, encoding: 'utf8' });
  expect(sh(sed)).toMatchObject({ status: 0, stderr: '' });
  const checked = sh('promtool check config prometheus-local.yml');
  expect(checked.stdout).toMatch(/SUCCESS: \d+ rules found/);
  expect(readFileSync(join(dir, 'prometheus-local.yml'), 'utf8')).toContain('127.0.0.1:9464');
  // It reads its flags and then prints its version.
  expect(sh(`${prometheus} --version`)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('prometheus, version'),
  });
});
