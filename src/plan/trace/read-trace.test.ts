import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTrace, type TraceOptions } from './read-trace.ts';

const dir = mkdtempSync(join(tmpdir(), 'trace-'));
let written = 0;

function read(text: string | Uint8Array, options: Partial<TraceOptions> = {}) {
  written += 1;
  const file = join(dir, `${written}.txt`);
  writeFileSync(file, text);
  return readTrace({ file, speed: '1', kind: null, model: null, until_ms: null, columns: {}, ...options });
}

function starts(text: string, options: Partial<TraceOptions> = {}) {
  return read(text, options).scenarios.flatMap((scenario) => scenario.starts);
}

const times = (text: string, options: Partial<TraceOptions> = {}) =>
  starts(text, options).map((start) => start.at_us);

/** A start whose line says nothing but its time. */
const OPEN = {
  scenario: 'chat',
  kind: 'chat',
  model: null,
  at_us: 0,
  prompt_bytes: null,
  max_tokens: null,
  stream: null,
} as const;

describe('readTrace', () => {
  it('reads a CSV with our own names', () => {
    const trace = read(
      'at_ms,kind,model,prompt_tokens,max_tokens,stream\n0,chat,m,100,50,true\n1.5,messages,n,,,\n20,image,,9,9,true\n',
      { model: 'd' },
    );
    expect(trace.scenarios).toEqual([
      {
        name: 'chat',
        kind: 'chat',
        model: 'm',
        starts: [
          {
            ...OPEN,
            scenario: 'chat',
            kind: 'chat',
            model: 'm',
            prompt_bytes: 500,
            max_tokens: 50,
            stream: true,
          },
        ],
      },
      {
        name: 'messages',
        kind: 'messages',
        model: 'n',
        starts: [{ ...OPEN, scenario: 'messages', kind: 'messages', model: 'n', at_us: 1500 }],
      },
      {
        name: 'image',
        kind: 'image',
        model: 'd',
        starts: [{ ...OPEN, scenario: 'image', kind: 'image', model: 'd', at_us: 20_000 }],
      },
    ]);
    expect(trace.last_ms).toBe(20);
    expect(trace.notes).toEqual([]);
  });

  it('writes what it read as trace.ndjson, with its hash', () => {
    const trace = read(
      '{"at_s":0.25,"stream":false}\n\n{"at_s":1,"prompt_tokens":1,"max_tokens":7,"extra":[1]}\n',
    );
    expect(trace.text).toBe(
      '{"scenario":"chat","kind":"chat","model":null,"at_us":250000,"prompt_bytes":null,"max_tokens":null,"stream":false}\n' +
        '{"scenario":"chat","kind":"chat","model":null,"at_us":1000000,"prompt_bytes":20,"max_tokens":7,"stream":null}\n',
    );
    expect(trace.sha256).toBe(createHash('sha256').update(trace.text).digest('hex'));
  });

  it('reads what it wrote, and gives the same again', () => {
    const trace = read(
      'timestamp,kind,model,prompt_tokens,max_tokens,stream\n' +
        '2026-01-01T00:00:09Z,image,p/q,,,\n2026-01-01T00:00:00.5Z,chat,a:b,3,0,1\n' +
        '2026-01-01T00:00:01Z,chat,a/b,,70,false\n2026-01-01T00:00:02Z,chat,,400,,\n',
      { speed: '0.7', until_ms: 20_000 },
    );
    expect(trace.notes).toHaveLength(2);
    expect(read(trace.text, { until_ms: 20_000 })).toEqual({ ...trace, notes: [] });
  });

  it('reads the traces that others publish', () => {
    expect(
      starts(
        'TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,374,44\n2023-11-16 18:15:50.9951690,396,109\n',
      ),
    ).toEqual([
      { ...OPEN, prompt_bytes: 1870, max_tokens: 44 },
      { ...OPEN, at_us: 4_314_579, prompt_bytes: 1980, max_tokens: 109 },
    ]);
    expect(
      starts(
        '{"timestamp": 27482, "input_length": 6955, "output_length": 52, "hash_ids": [46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 2353, 2354]}\n',
        {
          kind: 'responses',
        },
      ),
    ).toEqual([
      {
        ...OPEN,
        scenario: 'responses',
        kind: 'responses',
        at_us: 27_482_000,
        prompt_bytes: 34_775,
        max_tokens: 52,
        hash_ids: [46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 2353, 2354],
      },
    ]);
  });

  it('keeps the blocks of a prompt, and replays them from what it wrote', () => {
    const trace = read(
      '{"timestamp":0,"input_length":1200,"output_length":9,"hash_ids":[0,1,2]}\n' +
        '{"timestamp":5,"input_length":1200,"output_length":9,"hash_ids":[0,1]}\n' +
        '{"timestamp":9,"input_length":0,"output_length":9,"hash_ids":[]}\n{"timestamp":9,"input_length":8}\n',
    );
    const [scenario] = trace.scenarios;
    expect(scenario?.starts.map(({ hash_ids }) => hash_ids)).toEqual([[0, 1, 2], [0, 1], [], undefined]);
    expect(read(trace.text)).toEqual(trace);
  });

  it.each([
    ['[1]', '1 ids for 2.34 blocks'],
    ['[1,2,3,4]', '4 ids for 2.34 blocks'],
    ['[1,2.5,3]', '[1,2.5,3]'],
    ['[1,-2,3]', '[1,-2,3]'],
    ['"1"', '"1"'],
  ])('refuses the blocks %s, and names their line', (blocks, found) => {
    const line = `{"timestamp":0,"input_length":1200,"hash_ids":[1,2,3]}\n{"timestamp":1,"input_length":1200,"hash_ids":${blocks}}\n`;
    expect(() => read(line)).toThrow(expect.objectContaining({ message: expect.stringContaining(found) }));
    expect(() => read(line)).toThrow(/\.txt:2:1/);
  });

  it.each([
    ['ms from the beginning', 'timestamp\n0\n250.5\n', [0, 250_500]],
    ['epoch in s', 'timestamp\n1700000000\n1700000000.25\n', [0, 250_000]],
    ['epoch in ms', 'timestamp\n1700000000000\n1700000000250\n', [0, 250_000]],
    [
      'dates with zones',
      'timestamp\n2026-01-01T00:00:00+01:00\n2025-12-31T23:00:01.000001Z\n',
      [0, 1_000_001],
    ],
    ['seconds', 'at_s\n5\n5.0000014\n', [5_000_000, 5_000_001]],
  ])('reads times that are %s', (_, text, expected) => {
    expect(times(text)).toEqual(expected);
  });

  it('replays at a decimal speed', () => {
    expect(times('at_ms\n0\n100\n1000\n', { speed: '2.5' })).toEqual([0, 40_000, 400_000]);
    expect(times('at_ms\n1\n', { speed: '0.3' })).toEqual([3333]);
    expect(() => times('at_ms\n1\n', { speed: '0' })).toThrow('must be a decimal number above 0');
  });

  it('sorts, with a note, and keeps equal times in order', () => {
    const trace = read('at_ms,model\n20,a\n10,b\n20,c\n10,d\n');
    expect(trace.text.match(/"scenario":"[^"]+"/g)).toEqual([
      '"scenario":"chat-b"',
      '"scenario":"chat-d"',
      '"scenario":"chat-a"',
      '"scenario":"chat-c"',
    ]);
    expect(trace.notes).toEqual([
      'the lines of the trace are not in the order of their times: they were sorted',
    ]);
  });

  it('leaves out what is behind the end, with a note', () => {
    const trace = read('at_ms\n0\n999.999\n1000\n2000\n', { until_ms: 1000 });
    expect(trace.scenarios[0]?.starts.map((start) => start.at_us)).toEqual([0, 999_999]);
    expect(trace.notes).toEqual(['2 starts of the trace are behind the end of the run and left out']);
    expect(() => read('at_ms\n2000\n', { until_ms: 1000 })).toThrow(
      'must hold a start before the end of the run',
    );
  });

  it('names scenarios apart whose models differ in special characters only', () => {
    const trace = read('at_ms,kind,model\n0,chat,a/b\n1,chat,a:b\n2,chat,\n3,video,v\n');
    expect(trace.scenarios.map(({ name, model }) => [name, model])).toEqual([
      ['chat-a-b', 'a/b'],
      ['chat-a-b-2', 'a:b'],
      ['chat-any', null],
      ['video', 'v'],
    ]);
  });

  it('takes columns by the names that it is told', () => {
    const columns = { at_s: 'when', prompt_tokens: 'in' };
    expect(starts('when,in,out\n7,10,1\n', { columns })).toEqual([
      { ...OPEN, at_us: 7_000_000, prompt_bytes: 50 },
    ]);
    expect(() => starts('when,out\n7,1\n', { columns })).toThrow('must have the column in for prompt_tokens');
    expect(times('{"when":1}\n{"when":2,"in":3}\n', { columns })).toEqual([1_000_000, 2_000_000]);
  });

  it('asks for at least one token, with a note', () => {
    const trace = read('at_ms,max_tokens\n0,0\n');
    expect(trace.scenarios[0]?.starts[0]?.max_tokens).toBe(1);
    expect(trace.notes).toEqual(['1 lines of the trace ask for 0 tokens: 1 is asked for']);
  });

  it.each([
    ['no time', 'kind\nchat\n', ':2:1: must have a column at_us, at_ms, at_s or timestamp'],
    ['two times', 'at_ms,at_s\n1,1\n', ':2:1: must have one column for the time, not at_ms and at_s'],
    [
      'bytes beside tokens',
      'at_us,prompt_bytes,prompt_tokens\n1,1,1\n',
      'one column for the size of prompts',
    ],
    ['too many bytes', 'at_us,prompt_bytes\n1,50000001\n', 'must be a whole number of 0 to 50000000'],
    ['two sizes', 'at_ms,input_length,ContextTokens\n1,1,1\n', 'must have one column for prompt_tokens'],
    ['a negative time', 'kind,at_ms\nchat,-1\n', ':2:6 at_ms: must be a number of 0 or more — found "-1"'],
    [
      'a time far out',
      'kind,at_s\nchat,1\nchat,1e300\n',
      ':3:6 at_s: must be within 100 years of the beginning — found "1e300"',
    ],
    ['a timestamp far out', 'timestamp\n1e300\n', ':2:1 timestamp: must be a date before the year 10000'],
    ['a time of two columns', 'at_s,kind,at_s\n1,chat,2\n', ':1:11: must name each column once — found'],
    ['an empty time', 'kind,at_ms\nchat,\n', ':2:6 at_ms: must be a number of 0 or more — found nothing'],
    [
      'no date',
      'timestamp\n2026-13-01T00:00:00Z\n',
      'must be ms from the beginning, s or ms since 1970, or RFC 3339',
    ],
    [
      'dates beside offsets',
      'timestamp\n5\n2026-01-01T00:00:00Z\n',
      ':3:1 timestamp: must be as the times before',
    ],
    ['another kind', '{"at_ms":1}\n{"at_ms":1,"kind":"poll"}\n', ':2:1 kind: must be chat, responses'],
    ['half a token', 'at_ms,prompt_tokens\n1,1.5\n', ':2:3 prompt_tokens: must be a whole number'],
    ['too many tokens', 'at_ms,max_tokens\n1,10000001\n', 'must be a whole number of 0 to 10000000'],
    ['no truth', 'at_ms,stream\n1,maybe\n', ':2:3 stream: must be true or false — found "maybe"'],
    ['a broken quote', 'at_ms\n"1\n', ':2:1: must close the quote that opens here'],
    ['a line that is no object', '{"at_ms":1}\nat 2\n', ':2:1: must be a JSON object'],
    ['nothing', 'at_ms\n', 'must hold at least one start'],
  ])('refuses %s', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('says once of a file that it has no time, and which setting names one', () => {
    const message = (text: string): string => {
      try {
        read(text);
        return '';
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    };
    for (const text of [
      'arrived,kind\n1,chat\n2,chat\n3,chat\n',
      '{"arrived":1}\n{"arrived":2,"kind":"chat"}\n',
    ]) {
      expect(message(text)).toContain('trace.columns');
      expect(message(text).match(/must have a column/g)).toHaveLength(1);
    }
    // A line that names a size otherwise is told so; the ones behind it are as they were.
    const mixed =
      '{"at_ms":1,"input_length":5}\n{"at_ms":2,"prompt_tokens":5}\n{"at_ms":3,"input_length":5,"x":1}\n';
    expect(message(mixed).match(/must have the same key in all lines for prompt_tokens/g)).toHaveLength(1);
    expect(message(mixed)).toContain(':2:1');
  });

  it('names the file that is missing in its hint', () => {
    const file = join(dir, 'none');
    expect(() =>
      readTrace({ file, speed: '1', kind: null, model: null, until_ms: null, columns: {} }),
    ).toThrow(expect.objectContaining({ hint: expect.stringContaining(`Put the trace at ${file},`) }));
  });

  it('refuses what is not UTF-8 and what is not there', () => {
    expect(() => read(Uint8Array.of(0x61, 0xff, 0xfe))).toThrow('must be UTF-8');
    expect(() =>
      readTrace({
        file: join(dir, 'none'),
        speed: '1',
        kind: null,
        model: null,
        until_ms: null,
        columns: {},
      }),
    ).toThrow('must be a trace that can be read');
  });

  it('tells of several problems at once', () => {
    expect(() => read('at_ms,stream\n-1,x\n2,y\n')).toThrow(/:2:1 at_ms.*\n.*:2:4 stream.*\n.*:3:3 stream/);
  });
});
