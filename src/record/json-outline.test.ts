import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonOutline, LongText, type Outline } from './json-outline.ts';

class EveryName extends Set<string> {
  override has(): boolean {
    return true;
  }
}

function outline(text: string, wanted: ReadonlySet<string>, size = text.length): Outline {
  const reader = new JsonOutline(wanted);
  for (let at = 0; at < text.length; at += Math.max(1, size))
    reader.feed(text.slice(at, at + Math.max(1, size)));
  return reader.end();
}

// Members whose text is counted are told apart by name, and this name is nobody's.
const document = fc.jsonValue({ maxDepth: 4 }).filter((value) => {
  const text = JSON.stringify(value);
  return !/"(?:content|text|refusal|delta|reasoning|reasoning_content|thinking|arguments|partial_json|__proto__)":/.test(
    text,
  );
});

test('with every name asked for, a document comes out as JSON.parse gives it, however it is cut', () => {
  fc.assert(
    fc.property(document, fc.integer({ min: 1, max: 7 }), fc.boolean(), (value, size, spaced) => {
      const text = spaced ? JSON.stringify(value, null, 1) : JSON.stringify(value);
      expect(outline(text, new EveryName(), size).value).toEqual(JSON.parse(text));
    }),
    { numRuns: 300, seed: 7 },
  );
});

test('a document that is cut, or is none, gives nothing', () => {
  const text = '{"a":[1,{"b":"c"}],"usage":{"x":1}}';
  for (let end = 0; end < text.length; end += 1) {
    expect(outline(text.slice(0, end), new EveryName()).value).toBeUndefined();
  }
  for (const broken of [
    '{"a":1}}',
    '[1}',
    '{"a" 1}',
    '[1 2]',
    '{"a":1,,}',
    '{} {}',
    '{"a":tru}',
    '["\\x"]',
    ':',
  ])
    expect({ broken, value: outline(broken, new EveryName()).value }).toEqual({ broken, value: undefined });
});

test('what is not asked for is left out, but inside usage; a text is counted and not kept', () => {
  const text = JSON.stringify({
    id: 'x',
    secret: { id: 'inside' },
    choices: [{ message: { content: 'wörld 😀', other: 1 } }],
    usage: { any: { thing: 3 } },
  });
  expect(outline(text, new Set(['id', 'choices', 'message', 'content', 'usage'])).value).toEqual({
    id: 'x',
    choices: [{ message: { content: new LongText(7) } }],
    usage: { any: { thing: 3 } },
  });
});

test('a list that is too long is cut, which is told, and the usage behind it is kept', () => {
  const items = Array.from({ length: 5000 }, (_, at) => ({ id: `n${at}` }));
  const { value, cut } = outline(
    JSON.stringify({ data: items, usage: { output: 5 } }),
    new EveryName(),
    4096,
  );
  expect(cut).toBe(true);
  expect(value).toMatchObject({ usage: { output: 5 } });
  expect(JSON.stringify(value).length).toBeLessThan(64 * 1024);
});

test('a document that is nested without end is none', () => {
  expect(outline('['.repeat(100_000), new EveryName(), 1000).value).toBeUndefined();
});
