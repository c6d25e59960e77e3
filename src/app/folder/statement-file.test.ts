import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readStatement, storeStatement } from './statement-file.ts';

const YAML = `currency: USD
opening: "100"
top_ups:
  - { amount: "50.25", request_id: req_1 }
  - { amount: "1" }
fees: ["2.75"]
closing: "85.2"
`;
const CSV = `entry,amount,request_id,currency
opening,100,,USD
top_up,50.25,req_1,USD
top_up,1,,
fee,2.75,,
closing,85.2,,USD
`;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weighbridge-statement-'));
  const made = dir;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
});

function store(name: string, text: string): void {
  const given = mkdtempSync(join(tmpdir(), 'weighbridge-given-'));
  onTestFinished(() => rmSync(given, { recursive: true, force: true }));
  writeFileSync(join(given, name), text);
  storeStatement(dir, join(given, name));
}

/** The message without the folder that the file stands in. */
function refusal(name: string, text: string): string {
  try {
    store(name, text);
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(/[^ \n]*weighbridge-given-[^/]+\//g, '') : '';
  }
  return 'taken';
}

test('YAML and CSV say the same, and the one given last is kept in the run folder', () => {
  expect(readStatement(dir)).toBeNull();
  store('october.yml', YAML);
  const yaml = readStatement(dir);
  expect(yaml).toEqual({
    currency: 'USD',
    opening: '100',
    top_ups: [
      { amount: '50.25', request_id: 'req_1' },
      { amount: '1', request_id: null },
    ],
    fees: ['2.75'],
    closing: '85.2',
  });
  store('october.CSV', CSV);
  expect(readStatement(dir)).toEqual({
    opening: '100',
    top_ups: yaml?.top_ups,
    fees: ['2.75'],
    closing: '85.2',
  });
  expect(readdirSync(dir)).toEqual(['statement.csv']);
});

describe('what is wrong is said with its place', () => {
  test.each([
    ['a.csv', CSV.replace('50.25', 'much'), /^a\.csv:3:8: must be USD .* found "much"$/],
    [
      'a.csv',
      CSV.replace('top_up,1', 'gift,1'),
      /^a\.csv:4:1: expected one of opening, top_up, fee, closing, found "gift"$/,
    ],
    [
      'a.csv',
      CSV.replace('req_1,USD', 'req_1,EUR'),
      /^a\.csv:3:20: the currency must be USD, but it is "EUR"\.$/,
    ],
    ['a.csv', CSV.replace('closing,85.2,,USD\n', ''), /^a\.csv: the line with entry closing is missing\.$/],
    ['a.csv', CSV.replace('entry,', 'line,'), /^a\.csv:1:1: "line" is not one of the columns entry, /],
    ['a.csv', `${CSV}opening,3,,\n`, /^a\.csv:7:1: expected one opening, found another$/],
    ['a.csv', CSV.replace('top_up,1,,', 'top_up,1,req_1,'), /^a\.csv: the receipt req_1 is listed twice\.$/],
    ['a.csv', 'entry,amount\nopening,"1', /^a\.csv:2:9: must close the quote/],
    ['a.yaml', YAML.replace('"50.25"', '50.25'), /^a\.yaml:4:15 top_ups\[0\]\.amount: must be USD/],
    ['a.yaml', YAML.replace('USD', 'EUR'), /^a\.yaml:1:11 currency: /],
    ['a.yaml', YAML.replace('closing', 'closed'), /^a\.yaml:7:1 closed: unknown key/m],
  ])('%s %#', (name, text, expected) => {
    expect(refusal(name, text)).toMatch(expected);
  });
});
