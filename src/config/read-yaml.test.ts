import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { WeighbridgeError } from '../contracts/failure.ts';
import { readYaml } from './read-yaml.ts';

const schema = z.strictObject({
  limits: z.record(z.string(), z.strictObject({ most: z.int() })).optional(),
  shape: z.union([z.literal('flat'), z.strictObject({ depth: z.number() })]).optional(),
  list: z.array(z.strictObject({ a: z.number() })).optional(),
  tree: z.lazy(() => tree).optional(),
});
const tree: z.ZodType = z.strictObject({
  name: z.string(),
  get child() {
    return tree.optional();
  },
});

function refusal(text: string): string[] {
  try {
    readYaml({ text, file: 'f.yaml' }, schema);
  } catch (error) {
    if (error instanceof WeighbridgeError && error.code === 'config_invalid' && error.exitCode === 2) {
      return error.message.split('\n');
    }
    throw error;
  }
  return [];
}

describe('readYaml', () => {
  it('gives the parsed value', () => {
    expect(readYaml({ text: 'limits: {"a/b:c, d=e": {most: 3}}', file: 'f' }, schema)).toEqual({
      limits: { 'a/b:c, d=e': { most: 3 } },
    });
  });

  it('names line and column through aliases, blank lines and CRLF', () => {
    expect(refusal('\r\nlimits:\r\n  one: &one\r\n    most: x\r\n  two: *one\r\n')).toEqual([
      'f.yaml:4:11 limits.one.most: must be a number — found "x"',
      'f.yaml:4:11 limits.two.most: must be a number — found "x"',
    ]);
  });

  it('reports every problem in the order of the file', () => {
    expect(refusal('lits: 1\nlist:\n  - a: "1"\n  - b: 2\n')).toEqual([
      'f.yaml:1:1 lits: unknown key — found "lits"; did you mean "list"?',
      'f.yaml:3:8 list[0].a: must be a number — found "1"',
      'f.yaml:4:5 list[1].a: must be a number — found nothing',
      'f.yaml:4:5 list[1].b: unknown key — found "b"; did you mean "a"?',
    ]);
  });

  it('says of an empty file what it must hold at least, and of a missing mapping what belongs in it', () => {
    const versioned = z.strictObject({
      version: z.literal(3),
      name: z.string(),
      note: z.string().optional(),
    });
    const read = (text: string, form: z.ZodType) => () => readYaml({ text, file: 'f.yaml' }, form);
    const least = 'f.yaml:1:1: the file is empty; the least it must hold is "version: 3", "name: …"';
    for (const text of ['', '# a comment\n', '---\n']) expect(read(text, versioned)).toThrow(least);
    expect(read('', schema)).toThrow(/: the file is empty$/);
    const nested = z.strictObject({
      parameters: z.strictObject({ after_events: z.int(), note: z.int().optional() }),
    });
    expect(read('{}', nested)).toThrow('parameters: must be a mapping with after_events — found nothing');
    expect(read('parameters:', nested)).toThrow(
      'parameters: must be a mapping with after_events — found null',
    );
    expect(read('parameters: 3', nested)).toThrow('parameters: must be a mapping — found 3');
  });

  it('speaks of the branch of a union that was meant', () => {
    expect(refusal('shape: {dept: 1}')).toEqual([
      'f.yaml:1:8 shape.depth: must be a number — found nothing',
      'f.yaml:1:9 shape.dept: unknown key — found "dept"; did you mean "depth"?',
    ]);
  });

  it('knows the keys of a schema that refers to itself', () => {
    expect(refusal('tree: {name: a, child: {name: b, chld: {name: c}}}')).toEqual([
      'f.yaml:1:34 tree.child.chld: unknown key — found "chld"; did you mean "child"?',
    ]);
  });

  it('shows at most 20 problems', () => {
    const lines = refusal(`list:\n${'  - a: x\n'.repeat(30)}`);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('… and 10 more');
  });

  it.each([
    ['a key that is a mapping', 'list: []\n? {a: 1}\n: 2', 'f.yaml:2:3: a key must be a plain value'],
    [
      'another version of YAML',
      '%YAML 1.1\n---\nlist: []',
      'f.yaml:1:1: must be YAML 1.2 — found a %YAML 1.1 directive',
    ],
    [
      'a merge key',
      'list: []\n<<: {list: []}',
      'f.yaml:2:1 ["<<"]: unknown key — found "<<"; known keys: limits, shape, list, tree',
    ],
    [
      'a number beyond all bounds',
      'list: [{a: 1e999}]',
      'f.yaml:1:12 list[0].a: must be a number — found 1e999',
    ],
  ])('refuses %s', (_, text, line) => {
    expect(refusal(text)).toEqual([line]);
  });

  it('says no more than two things of one slip in the syntax', () => {
    expect(refusal('- a\nb: c')).toHaveLength(2);
  });

  it.each([
    ['lists', `list:\n  ${'['.repeat(3_000)}`, '2:102'],
    ['mappings', `tree: ${'{a: '.repeat(150)}1${'}'.repeat(150)}`, '1:403'],
    ['blocks', `list:\n${'- '.repeat(3_000)}a`, '2:199'],
    ['keys', '? '.repeat(3_000), '1:201'],
  ])('refuses %s that are nested too deep, by the place where they get so', (_, text, place) => {
    expect(refusal(text)).toEqual([`f.yaml:${place}: must be nested at most 100 levels deep`]);
  });

  it('reads what is nested 100 levels deep', () => {
    expect(
      readYaml({ text: `${'['.repeat(100)}${']'.repeat(100)}`, file: 'f' }, z.array(z.unknown())),
    ).toHaveLength(1);
  });

  it('masks what looks like a credential', () => {
    const text =
      'list: "Bearer abc.def"\nshape: sk-abcdefgh\nlimits: https://u:p@w/d@host/x?key=1\ntree: user:pass@host';
    expect(refusal(text).join('\n')).not.toMatch(/abc|u:p|w\/d|key=|pass/);
  });
});
