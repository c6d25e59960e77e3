import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redUnbroken } from './baseline.ts';
import { type Mutant, readPatch } from './mutant.ts';
import { VitestHost } from './vitest-host.ts';

const CODE = "export const double = (n: number): number => n * 2;\nexport const name = 'whole';\n";
const TEST = `import { expect, it } from 'vitest';
import { seen } from './seen.ts';
it('doubles', () => expect(seen(2)).toBe(4));
it('doubles nothing', () => expect(seen(0)).toBe(0));
`;
const target = { file: 'src/x.test.ts', project: null, pattern: null };
let copy: string;
let host: VitestHost;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'weighbridge-host-'));
  mkdirSync(join(copy, 'src'));
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(copy, 'node_modules'));
  write('package.json', '{ "type": "module" }');
  write('src/x.ts', CODE);
  write('src/seen.ts', "export { double as seen } from './x.ts';\n");
  write('src/x.test.ts', TEST);
  write(
    'src/red.test.ts',
    "import { it } from 'vitest';\nit('is red', () => { throw new Error('as it is'); });\n",
  );
  host = new VitestHost(copy);
});
afterAll(async () => {
  await host.close();
  rmSync(copy, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  writeFileSync(join(copy, path), text);
  host?.changed([path]);
}

const mutant = (red: string): Mutant =>
  readPatch('m.patch', `breaks: x\nred: ${red}\n\n--- a/src/x.ts\n+++ b/src/x.ts\n`);

describe('the vitest that stays', () => {
  it('sees each change of a module that tests import through another, and its way back', async () => {
    expect(await host.run(target)).toEqual({
      passed: ['doubles', 'doubles nothing'],
      failed: [],
      said: [],
      errors: [],
    });
    write('src/x.ts', CODE.replace('n * 2', 'n * 3'));
    expect(await host.run(target)).toMatchObject({ passed: ['doubles nothing'], failed: ['doubles'] });
    write('src/x.ts', CODE);
    expect(await host.run(target)).toMatchObject({ failed: [], errors: [] });
    write('src/x.ts', CODE.replace('n * 2', 'n + 1'));
    expect(await host.run({ ...target, pattern: 'nothing$' })).toMatchObject({ failed: ['doubles nothing'] });
    write('src/x.ts', CODE);
  });

  it('answers for the file that it is asked for, whatever was red before', async () => {
    const red = { ...target, file: 'src/red.test.ts' };
    expect(await host.run(red)).toMatchObject({ passed: [], failed: ['is red'], said: ['as it is'] });
    const passed = ['doubles', 'doubles nothing'];
    expect(await host.run(target)).toEqual({ passed, failed: [], said: [], errors: [] });
  });

  it('takes a module that does not load for no red test', async () => {
    write('src/x.ts', 'export const double = ;\n');
    const answer = await host.run(target);
    expect(answer?.failed).toEqual([]);
    expect(answer?.errors).toHaveLength(1);
    write('src/x.ts', CODE);
  });

  it('takes a file that is not there, and a name that no test has, for no red test', async () => {
    expect(await host.run({ ...target, file: 'src/y.test.ts' })).toMatchObject({ passed: [], failed: [] });
    expect(await host.run({ ...target, pattern: 'triples' })).toMatchObject({ passed: [], failed: [] });
  });

  it('is started anew after it was closed', async () => {
    await host.close();
    expect(await host.run(target)).toMatchObject({ failed: [], errors: [] });
  });

  it('finds what is red, or has no such test, before anything is broken', async () => {
    const mutants = [
      mutant('src/x.test.ts -t "doubles$"'),
      mutant('src/x.test.ts -t triples'),
      mutant('src/red.test.ts'),
    ];
    const faults = await redUnbroken(mutants, [{ copy, host }]);
    expect(faults).toEqual([
      'm.patch: src/x.test.ts has no green test of the name triples',
      'src/red.test.ts is red before anything is broken:\nis red\nas it is',
    ]);
  });
});
