import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resultSchema } from '../../src/contracts/result.ts';
import { actionCommand } from './action-command.ts';
import { annotation, annotations } from './annotations.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const resultIn = (folder: string) =>
  resultSchema.parse(JSON.parse(readFileSync(join(ROOT, folder, 'result.json'), 'utf8')));

describe('annotations', () => {
  test('a clean run is a notice with its verdict', () => {
    expect(annotations(resultIn('reports/sample/20261121T180049Z-8084'))).toEqual([
      '::notice title=Weighbridge::549 of 549 charges match the price list.',
    ]);
  });

  test('each reason of the exit status and each class at the gate is an error', () => {
    expect(annotations(resultIn('test/kept-folders/reports/20261124T000906Z-5082'))).toEqual([
      '::error title=Weighbridge%3A exit 5::2 findings at or above the gate',
      expect.stringMatching(/^::error title=Weighbridge%3A duplicate_charge::.+ 1 finding \+\$0\.00001018$/),
      expect.stringMatching(/^::error title=Weighbridge%3A failed_task_not_refunded::/),
    ]);
  });

  test('no conclusion is a warning', () => {
    const [first = ''] = annotations(resultIn('test/kept-folders/reports/20261124T000923Z-5a50'));
    expect(first).toMatch(/^::warning title=Weighbridge%3A exit 7::chat: too few calls/);
  });

  test('what a target said begins no command of its own', () => {
    expect(annotation('error', 'a,b: c', 'one\r\n::set-env name=X::y 100%')).toBe(
      '::error title=a%2Cb%3A c::one%0D%0A::set-env name=X::y 100%25',
    );
  });
});

describe('the command of the action', () => {
  test('is made of its inputs, each a word of its own', () => {
    const env = {
      INPUT_COMMAND: 'audit',
      INPUT_CONFIG: 'my plan.yaml',
      INPUT_TARGET: '',
      INPUT_MAX_SPEND_USD: '2',
      INPUT_FLAGS: '--rate-scale\n  0.5 \n\n',
      INPUT_OUT: 'out; rm -rf /',
      INPUT_STATE: 'state',
      GITHUB_RUN_ATTEMPT: '1',
    };
    expect(actionCommand(env)).toEqual([
      ...['audit', '--config', 'my plan.yaml', '--max-spend-usd', '2', '--out', 'out; rm -rf /'],
      ...['--state', 'state', '--rate-scale', '0.5', '--json'],
    ]);
  });

  test('is no other than audit and run, and none in a second attempt', () => {
    expect(() => actionCommand({ INPUT_COMMAND: 'gateway' })).toThrow(
      'expected audit or run, found "gateway"',
    );
    expect(() => actionCommand({ INPUT_COMMAND: 'run', GITHUB_RUN_ATTEMPT: '2' })).toThrow('pay again');
  });
});
