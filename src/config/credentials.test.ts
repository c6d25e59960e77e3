import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCredentials, loadHeaders, loadKeyFile } from './credentials.ts';

const dir = mkdtempSync(join(tmpdir(), 'wb-credentials-'));
afterAll(() => rmSync(dir, { recursive: true }));

const KEY = 'sk-test-0123456789';

function file(text: string): string {
  const path = join(dir, `secret-${text.length}`);
  writeFileSync(path, text);
  return path;
}

describe('loadCredentials', () => {
  it('reads from the environment, from files, or neither', () => {
    const loaded = loadCredentials({
      WEIGHBRIDGE_API_KEY: KEY,
      WEIGHBRIDGE_ACCESS_TOKEN_FILE: file('token-of-mine\n'),
      WEIGHBRIDGE_USER_ID: '17',
    });
    expect([loaded.apiKey, loaded.accessToken, loaded.userId]).toEqual([KEY, 'token-of-mine', '17']);
    expect(loadCredentials({ WEIGHBRIDGE_API_KEY: '' }).apiKey).toBeNull();
  });

  it('reads the key of a file that a flag names, and names the flag where it cannot', () => {
    expect(loadKeyFile(file(`${KEY}\n`), '--key-file')).toMatchObject({ apiKey: KEY, accessToken: null });
    const refused = (path: string) => () => loadKeyFile(path, '--key-file');
    expect(refused('/no/such/file')).toThrow(/^--key-file: must be a file that can be read/);
    expect(refused(file('two words'))).toThrow(/^--key-file: must be one line/);
  });

  it('reads the keys of several files in their order, each once, in place of that of the environment', () => {
    const [one, two] = [file('sk-one'), file('sk-second')];
    const loaded = loadCredentials(
      { WEIGHBRIDGE_API_KEY: KEY, WEIGHBRIDGE_USER_ID: '17' },
      { keyFiles: [one, two, one] },
    );
    expect([loaded.apiKeys, loaded.userId]).toEqual([['sk-one', 'sk-second'], '17']);
    expect(loaded.secrets).toEqual(['sk-one', 'sk-second']);
    expect(loaded.keyFp).toBeNull();
    expect(loaded.byKey.map(({ keyFp }) => keyFp)).toEqual(loaded.keyFps);
    expect(inspect(loaded.byKey, { showHidden: true, depth: 9, getters: true })).not.toContain('sk-');
    expect(() => loadCredentials({}, { keyFiles: [one, '/no/such/file'] })).toThrow(
      /^--key-file: must be a file/,
    );
  });

  it('shows no secret however it is printed', () => {
    const loaded = loadCredentials({ WEIGHBRIDGE_API_KEY: KEY, WEIGHBRIDGE_ACCESS_TOKEN: 'token-of-mine' });
    const prints = [
      JSON.stringify({ loaded }),
      inspect(loaded, { showHidden: true, depth: 9 }),
      inspect({ a: [loaded] }, { showHidden: true, depth: 9, getters: true }),
      format('%s %o %j', loaded, loaded, loaded),
      `${loaded}`,
      JSON.stringify({ ...loaded }),
      JSON.stringify(structuredClone({ ...loaded })),
    ];
    for (const print of prints) expect(print).not.toMatch(/sk-test|token-of/);
  });

  it('names a key by the first 16 hex digits of its SHA-256', () => {
    // printf 'sk-test-0123456789' | sha256sum
    expect(loadCredentials({ WEIGHBRIDGE_API_KEY: KEY }).keyFp).toBe('0d3b560722915d2f');
    expect(loadCredentials({}).keyFp).toBeNull();
  });

  it.each([
    ['both forms', { WEIGHBRIDGE_API_KEY: KEY, WEIGHBRIDGE_API_KEY_FILE: '/x' }, 'must not be set together'],
    ['a missing file', { WEIGHBRIDGE_API_KEY_FILE: '/no/such/file' }, '/no/such/file is not'],
    ['two lines', { WEIGHBRIDGE_API_KEY: `${KEY}\n${KEY}` }, 'one line'],
    ['a key as token', { WEIGHBRIDGE_ACCESS_TOKEN: KEY }, 'starts with sk-'],
    ['a user id that is no number', { WEIGHBRIDGE_USER_ID: 'me' }, 'numeric'],
  ])('refuses %s without repeating it', (_, env, part) => {
    expect(() => loadCredentials(env)).toThrow(part);
    expect(() => loadCredentials(env)).not.toThrow(KEY);
  });
});

it('a key that is given as the path of its file is not repeated', () => {
  const path = 'sk-0123456789abcdefghij';
  expect(() => loadCredentials({ WEIGHBRIDGE_API_KEY_FILE: path })).toThrow('is it the key itself?');
  expect(() => loadCredentials({ WEIGHBRIDGE_API_KEY_FILE: path })).not.toThrow(path);
  expect(() => loadCredentials({ WEIGHBRIDGE_API_KEY_FILE: 'keys/none.txt' })).toThrow('keys/none.txt');
});

describe('headers of a target', () => {
  const references = {
    authorization: 'env:MINE',
    'x-file': `file:${file('planted-in-a-file\n')}`,
    'x-t': 'blue',
  };
  const env = { MINE: 'Bearer planted-token' };

  it('come from the configuration, the environment and files, and stand for the key', () => {
    const loaded = loadCredentials(env, { headers: references });
    expect(loaded.headers).toEqual({
      authorization: 'Bearer planted-token',
      'x-file': 'planted-in-a-file',
      'x-t': 'blue',
    });
    expect(loaded.secrets).toEqual(['planted-token', 'planted-in-a-file']);
    expect([loaded.identifies, loadCredentials(env, { headers: { 'x-t': 'blue' } }).identifies]).toEqual([
      true,
      false,
    ]);
    expect(inspect(loaded, { showHidden: true, depth: 9 })).not.toContain('planted');
  });

  it.each([
    ['env:NONE', 'the variable NONE has none'],
    ['file:/no/such/file', 'its file has none'],
    ['env:TWO', 'one line of visible ASCII'],
  ])('name what cannot be read: %s', (reference, part) => {
    const load = () => loadHeaders({ TWO: 'planted\nsecret' }, { 'x-a': reference });
    expect(load).toThrow(`target.headers.x-a: must`);
    expect(load).toThrow(part);
    expect(load).not.toThrow('planted');
  });
});
