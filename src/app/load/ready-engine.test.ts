import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { testCertificate } from '../../client/test-certificate.test-support.ts';
import { systemName } from '../../contracts/engine-list.ts';
import { confirmEngine, readyEngine } from './ready-engine.ts';

let root = '';

/** A package as npm installs it: the sources of k6, and none that is built. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wb-ready-'));
  write('xk6/go.mod', 'module example\n');
  write('package.json', '{}');
  mkdirSync(join(root, 'path'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string, mode = 0o644): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
  return path;
}

function goThat(script: string): void {
  write('path/go', `#!/bin/sh\n${script}\n`, 0o755);
}

const BUILDS =
  'for word in "$@"; do if [ "$last" = "-o" ]; then echo built > "$word"; fi; last="$word"; done';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const env = (more: object = {}) => ({ PATH: join(root, 'path'), HOME: join(root, 'home'), ...more });
const silent = (): void => undefined;

describe('Go', () => {
  test('builds k6 once, outside the package, and the user is told', async () => {
    goThat(BUILDS);
    const said: string[] = [];
    const say = (line: string) => said.push(line);
    const { path } = await readyEngine(env(), say, root);
    expect(path.startsWith(join(root, 'home/.cache/weighbridge/k6'))).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('built\n');
    expect(existsSync(join(root, '.cache'))).toBe(false);
    expect(said[0]).toMatch(/^set-up: k6: building k6/);
    const lines = said.length;
    expect((await readyEngine(env({ PATH: '' }), say, root)).path).toBe(path);
    expect(said).toHaveLength(lines);
  });

  test('that is not there is told with all that would do in its place, exit 2', async () => {
    await expect(readyEngine(env(), silent, root)).rejects.toMatchObject({
      code: 'k6_not_built',
      exitCode: 2,
      message: expect.stringMatching(/needs Go 1\.\d+ or newer.* \(this build knows no engine packages\)$/),
      hint: expect.stringContaining('Install the engine package of this version'),
    });
  });

  test('cannot build into a cache that cannot be written: another is named', async () => {
    goThat(BUILDS);
    const file = write('file', '');
    await expect(readyEngine(env({ XDG_CACHE_HOME: file }), silent, root)).rejects.toMatchObject({
      code: 'k6_not_built',
      message: expect.stringMatching(/ENOTDIR.*Set XDG_CACHE_HOME to a folder/),
    });
  });
});

test('a k6 that is named is taken, and none is built', async () => {
  goThat('exit 1');
  const k6 = write('own-k6', '');
  const said: string[] = [];
  const given = env({ WEIGHBRIDGE_K6: k6 });
  expect(await readyEngine(given, (line) => said.push(line), root)).toMatchObject({ path: k6 });
  expect(said).toEqual([]);
  const gone = readyEngine({ ...given, WEIGHBRIDGE_K6: '/nowhere/k6' }, silent, root);
  await expect(gone).rejects.toMatchObject({ code: 'k6_not_found' });
  const other = readyEngine({ ...given, WEIGHBRIDGE_K6_SHA256: sha256('other') }, silent, root);
  await expect(other).rejects.toMatchObject({ code: 'k6_altered', exitCode: 2 });
});

describe('an engine package', () => {
  const name = `@weighbridge/engine-${systemName()}`;
  let k6 = '';

  beforeEach(() => {
    write(`node_modules/${name}/package.json`, '{}');
    k6 = write(`node_modules/${name}/bin/${process.platform === 'win32' ? 'k6.exe' : 'k6'}`, 'engine', 0o755);
    const engine = { package: name, version: '1.2.3', sha256: sha256('engine'), bytes: 6 };
    write('dist/engines.json', JSON.stringify({ engines: { [systemName()]: engine } }));
  });

  test('is started without Go, also where no cache can be written', async () => {
    expect(await readyEngine(env(), silent, root)).toMatchObject({ from: 'package', path: k6 });
    const file = write('file', '');
    const nowhere = env({ XDG_CACHE_HOME: file });
    expect(await readyEngine(nowhere, silent, root)).toMatchObject({ from: 'package' });
  });

  test('that is not the one of this build is not started, and Go is no way around it', async () => {
    goThat(BUILDS);
    writeFileSync(k6, 'another');
    await expect(readyEngine(env(), silent, root)).rejects.toMatchObject({
      code: 'k6_altered',
      message: expect.stringContaining(sha256('another')),
      hint: expect.stringContaining(`the package ${name} that belongs to this version`),
    });
  });

  test('is checked before each start, also when its size and its time stay', async () => {
    const aged = (): void => utimesSync(k6, 1_000, 1_000);
    aged();
    const engine = await readyEngine(env(), silent, root);
    writeFileSync(k6, 'ENGINE');
    aged();
    await expect(confirmEngine(engine, env(), root)).rejects.toMatchObject({ code: 'k6_altered' });
  });

  test('is read once: as long as the file looks the same, its hash is remembered', async () => {
    const engine = await readyEngine(env(), silent, root);
    const memory = join(root, 'home/.cache/weighbridge/k6/checked.json');
    const text = readFileSync(memory, 'utf8');
    // What is not read again can only come from the memory.
    writeFileSync(memory, text.replace(sha256('engine'), sha256('remembered')));
    await expect(confirmEngine(engine, env(), root)).rejects.toThrow(sha256('remembered'));
    chmodSync(k6, 0o750);
    await expect(confirmEngine(engine, env(), root)).resolves.toBeUndefined();
    writeFileSync(memory, 'damaged');
    await expect(confirmEngine(engine, env(), root)).resolves.toBeUndefined();
  });
});

describe('an address', () => {
  const { authority, certificate, key } = testCertificate('localhost');

  async function served(text: string) {
    const asked: string[] = [];
    const server = createServer({ cert: certificate, key }, (request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/gone') response.writeHead(404).end();
      else if (request.url?.startsWith('/latest') === true)
        response.writeHead(302, { location: '/k6' }).end();
      else response.end(text);
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const at = (path: string, hash = sha256(text)) =>
      env({
        WEIGHBRIDGE_CA_FILE: write('ca.pem', authority),
        WEIGHBRIDGE_K6: `https://localhost:${port}${path}`,
        WEIGHBRIDGE_K6_SHA256: hash,
      });
    return { asked, at };
  }

  test('is fetched once, through redirects, and can be started', async () => {
    const { asked, at } = await served('fetched');
    const said: string[] = [];
    const fetching = () => readyEngine(at('/latest?token=secret'), (line) => said.push(line), root);
    const { path } = await fetching();
    expect(readFileSync(path, 'utf8')).toBe('fetched');
    expect(statSync(path).mode & 0o111).toBe(0o111);
    expect(said).toEqual([expect.stringMatching(/^k6: downloading https:\/\/localhost:\d+\/latest$/)]);
    expect((await fetching()).path).toBe(path);
    expect(asked).toEqual(['/latest?token=secret', '/k6']);
  });

  test('that serves other bytes leaves nothing that could be started', async () => {
    const { at } = await served('swapped');
    await expect(readyEngine(at('/k6', sha256('meant')), silent, root)).rejects.toMatchObject({
      code: 'k6_not_fetched',
      exitCode: 2,
      message: expect.stringContaining(`its SHA-256 is ${sha256('swapped')}, not ${sha256('meant')}`),
    });
    const left = join(root, 'home/.cache/weighbridge/k6', `sha256-${sha256('meant')}`);
    expect(existsSync(join(left, 'k6'))).toBe(false);
  });

  test('that serves none is told with the status', async () => {
    const { at } = await served('');
    await expect(readyEngine(at('/gone'), silent, root)).rejects.toThrow('HTTP 404');
    const untrusted = { ...at('/k6'), WEIGHBRIDGE_CA_FILE: '' };
    await expect(readyEngine(untrusted, silent, root)).rejects.toThrow('no trusted authority');
  });
});
