import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { WeighbridgeError } from '../contracts/failure.ts';
import { loadProbePlan } from './load-probe.ts';

const CORPUS = fileURLToPath(new URL('../../test/corpus/config/probe/', import.meta.url));
const names = readdirSync(CORPUS).filter((name) => name.endsWith('.yaml'));

/** As a user sees it, with the path of the corpus left out. */
function messageOf(file: string): string {
  try {
    loadProbePlan({ file: `${CORPUS}${file}`, env: {}, flags: {}, embedded: null, budget: 'needed' });
  } catch (error) {
    if (!(error instanceof WeighbridgeError)) throw error;
    return `${error.code} ${error.exitCode}\n${error.message}\n`.replaceAll(CORPUS, '');
  }
  return 'accepted';
}

describe('one bad probe section for each rule', () => {
  it('holds at least one file a rule', () => {
    expect(names.length).toBeGreaterThanOrEqual(20);
  });

  it.each(names)('%s is refused with its exact message', (name) => {
    const expected = readFileSync(`${CORPUS}${name.replace(/\.yaml$/, '.txt')}`, 'utf8');
    expect(messageOf(name)).toBe(expected);
  });

  it.each(names)('%s prints no secret', (name) => {
    expect(messageOf(name)).not.toMatch(/hunter2|do-not-print|31337/);
  });
});
