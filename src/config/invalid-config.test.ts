import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { WeighbridgeError } from '../contracts/failure.ts';
import { configSchema } from './config-schema.ts';
import { readYaml } from './read-yaml.ts';

const CORPUS = fileURLToPath(new URL('../../test/corpus/config/', import.meta.url));
const names = readdirSync(CORPUS).filter((name) => name.endsWith('.yaml'));

function messageOf(file: string): string {
  try {
    readYaml({ text: readFileSync(`${CORPUS}${file}`, 'utf8'), file }, configSchema);
  } catch (error) {
    if (error instanceof WeighbridgeError) return `${error.code} ${error.exitCode}\n${error.message}\n`;
    throw error;
  }
  return 'accepted';
}

describe('one bad file for each rule', () => {
  it('holds at least one file a rule', () => {
    expect(names.length).toBeGreaterThanOrEqual(45);
  });

  it.each(names)('%s is refused with its exact message', (name) => {
    const expected = readFileSync(`${CORPUS}${name.replace(/\.yaml$/, '.txt')}`, 'utf8');
    expect(messageOf(name)).toBe(expected);
  });

  it.each(names)('%s prints no secret', (name) => {
    expect(messageOf(name)).not.toMatch(/hunter2|do-not-print/);
  });
});
