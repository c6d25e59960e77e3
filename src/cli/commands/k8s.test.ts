import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import { runProgram } from '../program.ts';

const dir = mkdtempSync(join(tmpdir(), 'wb-k8s-'));
afterAll(() => rmSync(dir, { recursive: true }));

async function k8s(...flags: readonly string[]) {
  const said: string[] = [];
  const line = (text: string) => said.push(text);
  const code = await runProgram(['k8s', ...flags], {
    out: line,
    err: line,
    ...UNWATCHED,
    width: 100,
    env: {},
  });
  return { code, said: said.join('\n') };
}

/** A configuration that says no more than it is given. */
function config(name: string, text: string): string {
  const file = join(dir, `${name}.yaml`);
  writeFileSync(file, `version: 1\n${text}`);
  return file;
}

const IMAGE = ['--image', 'registry.example/weighbridge:1', '--out', join(dir, 'out')];
const TARGET = 'target: { url: "http://127.0.0.1:9" }\n';

test.each([
  { flags: IMAGE, code: 'bad_flag', says: '--instances, --probe, --month and --nightly' },
  { flags: ['--probe'], code: 'bad_flag', says: '--image is missing' },
  { flags: [...IMAGE, '--instances', '0'], code: '', says: 'expected a number from 1 to 999' },
  {
    flags: [...IMAGE, '--instances', '2', '--config', config('none', '')],
    code: 'target_missing',
    says: 'embedded',
  },
  {
    flags: [...IMAGE, '--month', 'last', '--config', config('none', '')],
    code: 'target_missing',
    says: 'schedule',
  },
  {
    flags: [...IMAGE, '--probe', '--config', config('none', '')],
    code: 'target_missing',
    says: 'probe.targets',
  },
  {
    flags: [...IMAGE, '--nightly', 'audit', '--config', config('uncapped', TARGET)],
    code: 'spend_cap_needed',
    says: 'a night',
  },
  {
    flags: [
      ...IMAGE,
      '--month',
      'last',
      '--config',
      config('book', `${TARGET}billing: { book: { file: mine.json } }\n`),
    ],
    code: 'file_of_this_machine',
    says: 'billing.book.file',
  },
  {
    flags: [
      ...[...IMAGE, '--nightly', 'run', '--config'],
      config('prompts', `${TARGET}traffic: [{ kind: chat, rate: 1/s, prompts: { file: mine.txt } }]\n`),
    ],
    code: 'file_of_this_machine',
    says: 'prompts.file',
  },
  {
    flags: [
      ...[...IMAGE, '--month', 'last', '--config'],
      config('header', `target: { url: "http://127.0.0.1:9", headers: { x-key: "file:/home/me/key" } }\n`),
    ],
    code: 'file_of_this_machine',
    says: 'file:/run/secrets/weighbridge/NAME',
  },
])('refused with nothing written: $says', async ({ flags, code, says }) => {
  const refused = await k8s(...flags);
  expect(refused).toMatchObject({ code: 2, said: expect.stringContaining(says) });
  expect(refused.said).toContain(code);
  expect(existsSync(join(dir, 'out'))).toBe(false);
});

test('await ends with 0 when the time is up, and says who has closed a ledger', async () => {
  const ended = await k8s('await', join(dir, 'nowhere'), '--engines', '2', '--within', '0s');
  expect(ended).toEqual({ code: 0, said: '0 of 2 engines have closed their ledgers\nclosed: none' });
  expect(await k8s('await', dir, '--engines', '2', '--within', 'soon')).toMatchObject({ code: 2 });
});
