import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { UNWATCHED } from '../src/app/notices/unwatched.test-support.ts';
import { buildProgram } from '../src/cli/program.ts';
import type { Terminal } from '../src/cli/terminal/terminal.ts';
import { accept } from '../src/config/accept-schema.ts';
import { JUDGEMENTS } from '../src/contracts/reconciliation.ts';
import { keyFingerprint } from '../src/gateway/account/account-registry.ts';
import { readFaultPlan } from '../src/gateway/faults/read-fault-plan.ts';
import { readLatency } from '../src/gateway/latency/read-latency.ts';
import { startGateway } from '../src/gateway/start-gateway.ts';

const ROOT = resolve(import.meta.dirname, '..');

interface Page {
  readonly file: string;
  readonly text: string;
}

const PAGES: readonly Page[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'examples/README.md',
  ...filesUnder('docs', /\.md$/),
].map(pageOf);
const GATEWAY = pageOf('docs/gateway.md');

test('the generated tables are what the code gives', () => {
  const script = join(ROOT, 'scripts/generate-docs.ts');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('every plan that is shown can be read', () => {
  const { faults, latencies } = shownPlans();
  expect(faults.length).toBeGreaterThan(0);
  for (const text of faults)
    expect(readFaultPlan({ text, file: GATEWAY.file }).faults.length).toBeGreaterThan(0);
  expect(latencies.length).toBeGreaterThan(0);
  for (const text of latencies) expect(readLatency({ text, file: GATEWAY.file }).max_in_flight).toBe(50);
});

/** A latency plan names a preset first. */
function shownPlans(): { faults: readonly string[]; latencies: readonly string[] } {
  const plans = fenced(GATEWAY.text, 'yaml');
  const latencies = plans.filter((text) => text.startsWith('preset:'));
  return { faults: plans.filter((text) => !latencies.includes(text)), latencies };
}

test('every variable that the code reads is documented, and no other', () => {
  const documented = matches(pageOf('docs/environment.md').text, /^\| `([A-Z0-9_]+)` \|/gm);
  const read = variablesRead();
  expect(documented.sort()).toEqual([...read].sort());
  for (const { file, text } of PAGES) {
    const unread = matches(text, /\b(WEIGHBRIDGE_[A-Z0-9_]+)/g).filter((name) => !read.has(name));
    expect({ file, unread }).toEqual({ file, unread: [] });
  }
});

test('every relative link leads to a file, and to a heading where it names one', () => {
  const links = PAGES.flatMap(({ file, text }) =>
    matches(withoutCode(text), /\]\(([^)\s]+)\)/g)
      .filter((link) => !/^[a-z]+:/.test(link))
      .map((link) => ({ file, link })),
  );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter(({ file, link }) => !leadsSomewhere(file, link))).toEqual([]);
});

test('every file and folder of the project that a page names is there', () => {
  const tops = [...readdirSync(ROOT), ...readdirSync(join(ROOT, 'src'))].filter(
    (name) => !MADE.includes(name),
  );
  const named = PAGES.flatMap(({ file, text }) =>
    matches(text, /`([\w.@-]+\/[\w./-]*)`/g).map((path) => ({ file, path })),
  ).filter(({ path }) => tops.includes(path.split('/')[0] ?? '') && !MADE.includes(path));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter(({ path }) => !stands(path))).toEqual([]);
});

/** What commands write is not of the project. */
const MADE = ['reports', 'build', 'dist', 'node_modules', '.cache', 'bench/engine/results'];

/** As it stands, within the sources, or with the ending that the page leaves out. */
function stands(path: string): boolean {
  return ['', '.ts', '.go'].some((ending) =>
    ['', 'src'].some((folder) => existsSync(join(ROOT, folder, path + ending))),
  );
}

const GLOSSARY = pageOf('docs/glossary.md').text;

/** Letters that readers of such pages know, and names. */
const KNOWN = new Set(
  (
    'API ASCII AGPL BIGINT BOM CI CPU CR CRLF CSV DECIMAL DNS FOCUS GB GET HTML HTTP ID IP ISO JSON LF LLM MB NDJSON NULL OTLP OTel ' +
    'PATH PEM POST RAM README LICENSE NOTICE CONTRIBUTING CHANGELOG HEAD CONNECT OPTIONS RFC RST SDKs SHA SIGHUP SIGTERM SQL SRE TLS URL USD UTC UTF YAML ' +
    'AIPerf PNGs MP4s JUnit GENERATED'
  ).split(' '),
);

test('every abbreviation of the pages stands in the glossary, is told on its page, or is one that everybody knows', () => {
  const unknown = PAGES.filter(({ file }) => !file.endsWith('licences.md')).flatMap(({ file, text }) => {
    const prose = text.replaceAll(/```.*?```|^ {4}.*$|`[^`\n]+`|\]\([^)]+\)|<!--.*?-->/gms, '');
    // A name that a page makes for itself stands there as code, in an example or as the head of a row, too.
    const told = [...matches(text, /`([^`\n]+)`/g), ...matches(text, /^( {4}.*|\| [A-Z]+ \|)/gm)];
    const known = new Set([...KNOWN, ...told.join(' ').split(/\W+/)]);
    return matches(prose, /\b([A-Z]{2,}[A-Za-z0-9]*)\b/g)
      .filter((word) => !known.has(word) && !GLOSSARY.includes(word))
      .map((word) => ({ file, word }));
  });
  expect(unknown).toEqual([]);
});

test('no term of the glossary stands there twice, and each is used on another page or in the sources', () => {
  const terms = matches(GLOSSARY, /^\| (.+?) \|/gm)
    .slice(1)
    .flatMap((cell) => cell.replaceAll('`', '').split(/, (?!\d)/));
  expect(terms.length).toBeGreaterThan(70);
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
  const sources = filesUnder('src', /^[^.]+\.ts$/).map(pageOf);
  const others = [...PAGES, ...sources]
    .filter(({ file }) => file !== 'docs/glossary.md')
    .map(({ text }) => text.toLowerCase());
  const unused = terms.filter((term) => {
    const words = term.toLowerCase().split(' ');
    return !others.some((text) => words.every((word) => text.includes(word)));
  });
  expect(unused).toEqual([]);
});

test('every command line that is shown exists, with its flags', () => {
  const flags = flagsOfCommands();
  const shown = PAGES.flatMap(({ file, text }) =>
    commandLines(text).map((line) => ({ file, ...line, known: flags.get(line.command) })),
  );
  expect(shown.length).toBeGreaterThan(10);
  const wrong = shown.filter(
    ({ known, used }) => known === undefined || used.some((flag) => !known.includes(flag)),
  );
  expect(wrong).toEqual([]);
  const table = matches(GATEWAY.text, /^\| `(--[a-z-]+)` \|/gm);
  expect([...table, '--help'].sort()).toEqual([...(flags.get('gateway') ?? [])].sort());
});

test('docs/findings.md: the acceptance of the page is one that a configuration takes', () => {
  const block = /^ {4}accept:\n(?: {4}.+\n)+/m.exec(pageOf('docs/findings.md').text)?.[0] ?? '';
  const shown = z.object({ accept }).parse(parse(block.replaceAll(/^ {4}/gm, '')));
  expect(shown.accept).toMatchObject([{ up_to_usd: expect.any(String), by: expect.any(String) }]);
});

test('the verdicts of a call are those of the contract', () => {
  const section = /## Verdict of a call\n(.+?)\n## /s.exec(pageOf('docs/findings.md').text)?.[1] ?? '';
  expect(matches(section, /^\| `([a-z_]+)` \|/gm).sort()).toEqual(JUDGEMENTS.toSorted());
});

test('the gateway of the page: ready line, journal lines and every control call work as shown', async () => {
  const plan = shownPlans().faults[0] ?? '';
  const { ready, close } = await startGateway({ port: 0, seed: 1 });
  onTestFinished(close);
  const rows = /## Credentials\n(.+?)\n## /s.exec(GATEWAY.text)?.[1] ?? '';
  const fields = matches(rows, /^\| (`.+?) \| /gm).flatMap((cell) => matches(cell, /`([a-z_]+)`/g));
  expect(fields.sort()).toEqual(Object.keys(ready).sort());

  const control = { authorization: `Bearer ${ready.control_token}` };
  const everyCall = JSON.stringify({ faults: [{ fault: 'bill.double_charge', when: { probability: 1 } }] });
  await fetch(`${ready.control_url}/faults`, { method: 'PUT', headers: control, body: everyCall });
  await post(ready, '/v1/chat/completions', {
    model: 'aspen-nano',
    max_tokens: 1,
    messages: [{ role: 'user', content: 'hello' }],
  });
  const { lines } = z
    .object({ lines: z.array(z.record(z.string(), z.unknown())) })
    .parse(await (await fetch(`${ready.control_url}/journal`, { headers: control })).json());
  const keysOf = (line: object): string[] => [...Object.keys(line), JSON.stringify(Object.entries(line)[1])];
  const examples = fenced(GATEWAY.text, 'json').map((text) =>
    keysOf(z.record(z.string(), z.unknown()).parse(JSON.parse(text))),
  );
  expect(examples.sort()).toEqual(lines.map(keysOf).sort());

  const job = z
    .object({ job_id: z.string() })
    .parse(await post(ready, '/v1/images/generations/jobs', { model: 'lumen-image', prompt: 'a boat' }));
  const calls = controlExamples({
    CONTROL: ready.control_url,
    TOKEN: ready.control_token,
    USER_ID: String(ready.user_id),
    JOB: job.job_id,
    KEY_FP: keyFingerprint(ready.api_key),
  });
  const source = filesUnder('src/gateway/control', /^[^.]+\.ts$/)
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');
  const routes = [...source.matchAll(/app\.(get|put|post|delete)(?:<.+>)?\('([^']+)'/g)].map(
    ([, method, path]) => `${method?.toUpperCase()} ${path?.replace(/:\w+/g, ':')}`,
  );
  expect(calls.map(({ route }) => route).sort()).toEqual(routes.sort());
  for (const { route, url, method, headers, data } of calls) {
    const body = data === '@faults.yaml' ? plan : data;
    const answer = await fetch(url, { method, headers, ...(body === null ? {} : { body }) });
    expect({ route, status: answer.status, text: await answer.text() }).toMatchObject({ route, status: 200 });
  }
});

test('the service calls of the gateway page answer as it says', async () => {
  const gateway = await startGateway({ port: 0, seed: 1, latency: 'fast' });
  try {
    const { base_url, api_key } = gateway.ready;
    const lines = matches(GATEWAY.text, /^ {4}(curl .+)$/gm);
    const answers: string[] = [];
    for (const line of lines) {
      const [, path = ''] = /\$BASE(\/[^\s"]+)"?$/.exec(line) ?? [];
      const [, body] = / -d '(.+)' /.exec(line) ?? [];
      const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
      const answer = await fetch(base_url + path, {
        headers,
        ...(body === undefined ? {} : { method: 'POST', body }),
      });
      expect({ line, status: answer.status }).toEqual({ line, status: 200 });
      answers.push(await answer.text());
    }
    expect(answers).toHaveLength(2);
    expect(answers[0]).toContain('data: [DONE]');
    expect(answers[1]).toContain('"billing_status":"settled"');
  } finally {
    await gateway.close();
  }
});

async function post(
  ready: { readonly base_url: string; readonly api_key: string },
  path: string,
  body: object,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${ready.api_key}`, 'content-type': 'application/json' };
  const answer = await fetch(ready.base_url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.ok).toBe(true);
  return await answer.json();
}

/** The curl lines of the page with the variables of a shell put in. */
function controlExamples(variables: Readonly<Record<string, string>>) {
  return matches(GATEWAY.text, /`(curl [^`]+)`/g).map((line) => {
    const shell = (text: string): string =>
      text
        .replace(/'\$(\w+)'/g, '$$$1')
        .replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? `no $${name}`);
    const [, path = 'no path'] = / \$CONTROL(\/\S+)$/.exec(line) ?? [];
    const [, name = 'none', value = 'none'] = / -H "([^:]+): ([^"]+)"/.exec(line) ?? [];
    const [, data = null] = / (?:-d|--data-binary) (@\S+|'.+') /.exec(line) ?? [];
    const [, method = data === null ? 'GET' : 'POST'] = / -X ([A-Z]+)/.exec(line) ?? [];
    return {
      route: `${method} ${path.replace(/\$\w+/g, ':')}`,
      url: shell(`$CONTROL${path}`),
      method,
      headers: { [name]: shell(value) },
      data: data === null ? null : shell(data.replace(/^'|'$/g, '')),
    };
  });
}

function variablesRead(): ReadonlySet<string> {
  const names = ['src', 'xk6', 'bin', 'scenarios']
    .flatMap((dir) => filesUnder(dir, /\.(ts|mjs|go)$/))
    .filter((file) => !/\.test\.ts$|\.test-support\.ts$|_test\.go$/.test(file))
    .map((file) => pageOf(file).text)
    .flatMap((text) => [
      ...matches(text, /['"]((?:WEIGHBRIDGE|K6)_[A-Z0-9_]+)['"]/g),
      ...matches(text, /(?:env|ENV)\['([A-Z0-9_]+)'\]/g),
      ...matches(text, /\benv\.([A-Z][A-Z0-9_]+)\b/g),
      ...matches(text, /(?:Getenv|LookupEnv)\("([A-Z0-9_]+)"\)/g),
      ...matches(text, /readSecret\(env, '([A-Z_]+)'/g).map((name) => `${name}_FILE`),
    ]);
  return new Set(names);
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? resolve(ROOT, from) : resolve(ROOT, dirname(from), path);
  if (!existsSync(target)) return false;
  if (heading === undefined) return true;
  const titles = matches(withoutCode(readFileSync(target, 'utf8')), /^#+ (.+)$/gm);
  return titles.map(anchorOf).includes(heading);
}

/** As GitHub names the anchor of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

interface CommandLine {
  readonly command: string;
  readonly used: readonly string[];
}

function commandLines(text: string): readonly CommandLine[] {
  const block = matches(text, /```\w*\n(.*?)```/gs).flatMap((part) => part.split('\n'));
  const indented = matches(text, /^ {4}(\S.*)$/gm);
  const spans = matches(text.replace(/```.*?```/gs, ''), /`([^`\n]+)`/g);
  return [...block, ...indented, ...spans].flatMap((line) => {
    const bare = line.replace(/ +# .*$/, '').replace(/\bnpm start --(?= )/, 'weighbridge audit');
    const [, command, rest = ''] = /(?:^|[\s/])weighbridge(?:\.mjs)? ([a-z][a-z0-9-]*)(.*)$/.exec(bare) ?? [];
    return command === undefined ? [] : [{ command, used: matches(rest, /(--[a-z][a-z-]*)/g) }];
  });
}

function flagsOfCommands(): ReadonlyMap<string, readonly string[]> {
  const terminal: Terminal = {
    out: () => undefined,
    err: () => undefined,
    ...UNWATCHED,
    width: 100,
    env: {},
  };
  const { commands } = buildProgram(terminal, () => undefined);
  return new Map(
    commands.map((command) => [
      command.name(),
      // Those of `prune` for `history prune`, too.
      [
        ...[command, ...command.commands].flatMap(({ options }) => options.flatMap(({ long }) => long ?? [])),
        '--help',
      ],
    ]),
  );
}

function fenced(text: string, language: string): string[] {
  return matches(text, new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
}

function withoutCode(text: string): string {
  return text.replace(/```.*?```/gs, '').replace(/`[^`\n]+`/g, (span) => span.replace(/[[\]()]/g, ''));
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((found) => found[1] ?? '');
}

function pageOf(file: string): Page {
  return { file, text: readFileSync(join(ROOT, file), 'utf8') };
}

function filesUnder(dir: string, pattern: RegExp): string[] {
  return readdirSync(join(ROOT, dir), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}
