import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Dialect, DialectSetting } from '../../contracts/dialect.ts';
import { holdDialect } from './noted-dialect.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'weighbridge-dialect-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
});

function hold(dialect: Dialect, asked: DialectSetting = 'auto', loopback = false): void {
  holdDialect(home, { dialect, asked, loopback });
}

const noted = (): unknown => JSON.parse(readFileSync(join(home, 'dialect.json'), 'utf8'));

test('what a target was seen to be holds until somebody says otherwise', () => {
  hold('new-api');
  hold('new-api');
  expect(() => hold('plain')).toThrow(
    'The target served its bill as new-api before, and now serves it as plain. No paid call was sent.',
  );
  expect(noted()).toMatchObject({ dialect: 'new-api' });
  hold('plain', 'plain');
  expect(noted()).toEqual({ schema: 'weighbridge.dialect/1', dialect: 'plain' });
  hold('plain');
});

test('on loopback another server at the same port is no surprise', () => {
  hold('interface', 'auto', true);
  hold('litellm', 'auto', true);
  expect(noted()).toMatchObject({ dialect: 'litellm' });
});

test('a target without a folder is noted nowhere', () => {
  expect(() => holdDialect(null, { dialect: 'plain', asked: 'auto', loopback: false })).not.toThrow();
});
