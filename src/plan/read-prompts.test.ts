import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readPrompts } from './plan-limits.ts';

const dir = mkdtempSync(join(tmpdir(), 'wb-prompts-'));
afterAll(() => rmSync(dir, { recursive: true }));

let files = 0;
function write(content: string | Uint8Array): string {
  files += 1;
  const path = join(dir, `${files}.txt`);
  writeFileSync(path, content);
  return path;
}

describe('readPrompts', () => {
  it('reads one prompt a line, blank lines aside, in bytes of UTF-8', () => {
    const text = '\uFEFFHello there\r\n\n  \t\nÄpfel 🙂\nlast';
    const path = write(text);
    const { file, bytes } = readPrompts(path, 'random');
    expect(bytes).toEqual([11, 11, 4]);
    expect(file).toEqual({
      path,
      sha256: createHash('sha256').update(text).digest('hex'),
      count: 3,
      max_bytes: 11,
      order: 'random',
    });
  });

  it('reads NDJSON objects where the first line begins with a brace', () => {
    const path = write('\n {"prompt": "two\\nlines", "id": 4}\n\n{"prompt": "x"}\n');
    expect(readPrompts(path, 'in_turn').bytes).toEqual([9, 1]);
  });

  it.each([
    ['{"prompt": "x"}\n{"prompt": ""}', ':2:1: must be a JSON object with a text "prompt" — found'],
    ['{"prompt": "x"}\n{"text": "x"}', ':2:1: must be a JSON object'],
    ['{"prompt": "x"}\n\nplain', ':3:1: must be a JSON object'],
    ['\n \n', ': must hold at least one prompt'],
    [new Uint8Array([0x61, 0xff]), ': must be UTF-8'],
  ])('refuses %j with its place', (content, message) => {
    const path = write(content);
    expect(() => readPrompts(path, 'in_turn')).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        exitCode: 2,
        message: expect.stringContaining(`${path}${message}`),
      }),
    );
  });

  it('names the file that is missing in its hint', () => {
    expect(() => readPrompts(join(dir, 'none'), 'in_turn')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(`Put the prompts at ${join(dir, 'none')},`) }),
    );
  });

  it('says that there is no such file, and repeats no key that stands in one', () => {
    expect(() => readPrompts(join(dir, 'none'), 'in_turn')).toThrow(
      'none: must be a file of prompts that can be read',
    );
    const path = write('{"prompt": "x"}\n"sk-do-not-print-this"');
    expect(() => readPrompts(path, 'in_turn')).not.toThrow('do-not-print');
  });
});
