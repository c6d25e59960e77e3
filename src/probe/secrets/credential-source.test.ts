import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { SecretValues } from '../../client/secrets/secret-values.ts';
import { CredentialSource } from './credential-source.ts';

const KEY = 'sk-test-0123456789';
const NEXT = 'sk-next-0123456789';

/** A file long written and a clock that the test turns. */
function setUp(text: string | Buffer): {
  file: string;
  source: CredentialSource;
  secrets: SecretValues;
  clock: { now: number };
  write: (text: string) => void;
} {
  const dir = mkdtempSync(join(tmpdir(), 'wb-source-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'key');
  writeFileSync(file, text);
  const clock = { now: Date.now() + 60_000 };
  const secrets = new SecretValues();
  const source = new CredentialSource({ reference: `file:${file}`, env: {}, secrets, now: () => clock.now });
  return { file, source, secrets, clock, write: (next) => writeFileSync(file, next) };
}

describe('CredentialSource', () => {
  it('reads a variable, without blanks at its ends, and tells the filter', () => {
    const secrets = new SecretValues();
    const env: Record<string, string> = { KEY: ` ${KEY}\n` };
    const source = new CredentialSource({ reference: 'env:KEY', env, secrets, now: () => 0 });
    expect(source.read()).toEqual({ value: KEY, problem: null });
    expect(secrets.mask(`with ${KEY}`)).toBe('with ***');
    env['KEY'] = NEXT;
    expect(source.read().value).toBe(NEXT);
    expect(secrets.mask(`${KEY} ${NEXT}`)).toBe('*** ***');
  });

  it('reads a file again when it has changed, looking at most each second', () => {
    const { source, secrets, clock, write } = setUp(`${KEY}\n`);
    expect(source.read()).toEqual({ value: KEY, problem: null });
    write(NEXT);
    clock.now += 999;
    expect(source.read().value).toBe(KEY);
    clock.now += 1;
    expect(source.read()).toEqual({ value: NEXT, problem: null });
    expect(secrets.mask(`${KEY} ${NEXT}`)).toBe('*** ***');
  });

  it('sees another file of the same size and time put in its place', () => {
    const { file, source, clock } = setUp(KEY);
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    expect(source.read().value).toBe(KEY);
    writeFileSync(`${file}.new`, NEXT);
    utimesSync(`${file}.new`, 1_700_000_000, 1_700_000_000);
    renameSync(`${file}.new`, file);
    clock.now += 1_000;
    expect(source.read().value).toBe(NEXT);
  });

  it('keeps the last good value while the file is gone or half written, and says so', () => {
    const { file, source, clock, write } = setUp(KEY);
    source.read();
    rmSync(file);
    clock.now += 1_000;
    expect(source.read()).toEqual({ value: KEY, problem: `the file ${file} cannot be read (ENOENT)` });
    // Between two looks the problem stands.
    expect(source.read().problem).toContain('ENOENT');
    write('');
    clock.now += 1_000;
    expect(source.read()).toEqual({ value: KEY, problem: `the file ${file} is not set or empty` });
    write(NEXT);
    clock.now += 1_000;
    expect(source.read()).toEqual({ value: NEXT, problem: null });
  });

  it('looks again after the clock was set back', () => {
    const { source, clock, write } = setUp(KEY);
    source.read();
    write(NEXT);
    clock.now -= 3_600_000;
    expect(source.read().value).toBe(NEXT);
  });

  test.each([
    ['two lines', `${KEY}\n${NEXT}\n`, 'must be one line of visible ASCII characters without spaces'],
    ['a blank inside', `${KEY} ${NEXT}`, 'must be one line of visible ASCII characters without spaces'],
    ['other letters', `${KEY}é`, 'must be one line of visible ASCII characters without spaces'],
    ['nothing', ' \n', 'is not set or empty'],
    ['too little', 'sk-1234', 'must hold 8 characters or more'],
    ['too much', KEY.repeat(300), 'is larger than 4096 bytes'],
  ])('refuses %s without repeating it', (_, text, problem) => {
    const { file, source } = setUp(text);
    expect(source.read()).toEqual({ value: null, problem: `the file ${file} ${problem}` });
  });

  it('takes a short value that is no secret, and leaves the word in texts', () => {
    const source = new CredentialSource({
      reference: 'env:USER_ID',
      env: { USER_ID: '17' },
      secrets: null,
      now: () => 0,
    });
    expect(source.read()).toEqual({ value: '17', problem: null });
  });

  it('shows no reference that may be a key itself', () => {
    const source = new CredentialSource({ reference: KEY, env: {}, secrets: null, now: () => 0 });
    const { value, problem } = source.read();
    expect(value).toBeNull();
    expect(problem).toContain('env:NAME or file:PATH');
    expect(problem).not.toContain('sk-');
  });

  it('says that a folder is no file', () => {
    const source = new CredentialSource({
      reference: `file:${tmpdir()}`,
      env: {},
      secrets: null,
      now: () => 0,
    });
    expect(source.read().problem).toBe(`the file ${tmpdir()} is not a file`);
  });
});
