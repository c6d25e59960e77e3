import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
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
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTargetFolder } from './target-folder.ts';

const ROOT = 'http://127.0.0.1:8787';

let state = '';
let said: string[] = [];
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'state-'));
  said = [];
});
afterEach(() => rmSync(state, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(join(state, path, '..'), { recursive: true });
  writeFileSync(join(state, path), text);
}

function read(path: string): string {
  return readFileSync(join(state, path), 'utf8');
}

function open(name?: string, root = ROOT): string {
  return openTargetFolder(state, { root, ...(name === undefined ? {} : { name }) }, (line) =>
    said.push(line),
  );
}

test('a target has the same folder by its name and by its address', () => {
  expect(open('prod')).toBe(join(state, '127.0.0.1_8787'));
  expect(open()).toBe(open('prod'));
  expect(readdirSync(state)).toEqual(['127.0.0.1_8787']);
  expect(said).toEqual([]);
});

test('the folder that a daemon named is moved, once, and that is said', () => {
  put('prod/probe/budget.ndjson', '{"schema":"weighbridge.probe-budget/1"}\n');
  put('prod/archive/index.ndjson', 'i\n');
  const dir = open('prod');
  expect(said).toEqual([
    expect.stringContaining(`moved ${join(state, 'prod')} to ${dir}`),
    expect.stringContaining('is now the budget of all that is paid'),
  ]);
  expect(read('127.0.0.1_8787/budget.ndjson')).toBe('{"schema":"weighbridge.budget/1"}\n');
  expect(existsSync(join(state, 'prod'))).toBe(false);
  open('prod');
  expect(said).toHaveLength(2);
});

test('of two archives nothing is lost; what cannot be one stays where it is, and that is said', () => {
  put('127.0.0.1_8787/archive/index.ndjson', 'own\n');
  put('127.0.0.1_8787/archive/books/a.json', 'a');
  put('127.0.0.1_8787/suspense.ndjson', 'own\n');
  put('prod/archive/index.ndjson', 'older\ntorn');
  put('prod/archive/books/b.json', 'b');
  put('prod/suspense.ndjson', 'older\n');
  open('prod');
  expect(readdirSync(join(state, '127.0.0.1_8787/archive/books'))).toEqual(['a.json', 'b.json']);
  expect(read('127.0.0.1_8787/archive/index.ndjson').split('\n').filter(Boolean)).toEqual([
    'own',
    'older',
    'torn',
  ]);
  expect(read('127.0.0.1_8787/suspense.ndjson')).toBe('own\n');
  expect(read('prod/suspense.ndjson')).toBe('older\n');
  expect(said.join('\n')).toContain('left suspense.ndjson in');
});

test('the folder of another target is never taken for an older one', () => {
  open(undefined, 'https://gateway.example');
  put('gateway.example/archive/index.ndjson', 'i\n');
  open('gateway.example', 'https://other.example');
  expect(read('gateway.example/archive/index.ndjson')).toBe('i\n');
  put('x/archive/index.ndjson', 'outside');
  open('../x', 'http://h');
  expect(said.filter((line) => line.includes('..'))).toEqual([]);
});

test('a folder that a daemon still writes to stays, and the command says who', () => {
  put('prod/probe/tasks.ndjson.lock', JSON.stringify({ pid: process.pid }));
  expect(() => open('prod')).toThrow(
    expect.objectContaining({ code: 'state_in_use', message: expect.stringContaining(`${process.pid}`) }),
  );
  expect(existsSync(join(state, 'prod/probe/tasks.ndjson.lock'))).toBe(true);
});

test('several commands that meet an older folder at once move it once, and lose nothing', async () => {
  for (let file = 0; file < 200; file += 1) put(`prod/archive/books/${file}.json`, `${file}`);
  put('prod/archive/index.ndjson', 'older\n');
  put('127.0.0.1_8787/archive/index.ndjson', 'own\n');
  const module = JSON.stringify(new URL('./target-folder.ts', import.meta.url).href);
  const script = `const { openTargetFolder } = await import(${module});
    process.stdin.once('data', () => {
      openTargetFolder(${JSON.stringify(state)}, { root: '${ROOT}', name: 'prod' }, (line) => console.log(line));
      process.exit(0);
    });
    console.log('ready');`;
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'pipe'] }),
  );
  const said = children.map((child) => text(child.stdout));
  const failed = children.map((child) => text(child.stderr));
  await Promise.all(children.map((child) => once(child.stdout, 'readable')));
  for (const child of children) child.stdin.write('go\n');
  expect((await Promise.all(failed)).join('')).toBe('');
  expect((await Promise.all(said)).join('').match(/moved/g)).toHaveLength(1);
  expect(readdirSync(join(state, '127.0.0.1_8787/archive/books'))).toHaveLength(200);
  expect(read('127.0.0.1_8787/archive/index.ndjson').split('\n').filter(Boolean)).toEqual(['own', 'older']);
  expect(readdirSync(state)).toEqual(['127.0.0.1_8787']);
});

test('a folder of a newer version is refused by name, before anything in it is moved or written', () => {
  put('127.0.0.1_8787/target.json', '{"schema":"weighbridge.target/2"}');
  put('127.0.0.1_8787/probe/budget.ndjson', '{"schema":"weighbridge.probe-budget/1"}\n');
  expect(() => open()).toThrow('target.json: expected weighbridge.target/1, found "weighbridge.target/2"');
  expect(readdirSync(join(state, '127.0.0.1_8787')).sort()).toEqual(['probe', 'target.json']);
});

test('a mark that a full disk left empty keeps nobody out', () => {
  put('127.0.0.1_8787/target.json', '');
  expect(open()).toBe(join(state, '127.0.0.1_8787'));
});
