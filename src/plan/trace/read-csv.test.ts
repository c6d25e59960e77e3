import { describe, expect, it } from 'vitest';
import { CsvError, readCsv } from './read-csv.ts';

function texts(csv: string): string[][] {
  return [...readCsv(csv)].map((record) => record.map((field) => field.text));
}

describe('readCsv', () => {
  it('reads plain and quoted fields', () => {
    expect(texts('a,b,c\r\n1,"x, ""y""\r\nz",\n\n2,,"3"')).toEqual([
      ['a', 'b', 'c'],
      ['1', 'x, "y"\r\nz', ''],
      ['2', '', '3'],
    ]);
  });

  it('passes over a byte order mark and keeps spaces and lone carriage returns', () => {
    expect(texts('\uFEFFa\n b \rc')).toEqual([['a'], [' b \rc']]);
    expect(texts('')).toEqual([]);
  });

  it('says where a field stands, behind fields of several lines too', () => {
    const [, record] = [...readCsv('a,b,c\n"1\n2",x,"y"\n')];
    expect(record?.map(({ line, column }) => [line, column])).toEqual([
      [2, 1],
      [3, 4],
      [3, 6],
    ]);
  });

  it.each([
    ['a,b\n1', 'must have 2 fields as the first line has, not 1', 2, 1],
    ['a\n1"2', 'must have a field with a quote in it in quotes', 2, 2],
    ['a\n"1" ', 'must have a comma or a line end after a quoted field', 2, 4],
    ['a,b\n1,"2\n3', 'must close the quote that opens here', 2, 3],
  ])('refuses %j', (csv, rule, line, column) => {
    const refused = () => texts(csv);
    expect(refused).toThrow(rule);
    try {
      refused();
    } catch (error) {
      expect(error).toBeInstanceOf(CsvError);
      expect(error).toMatchObject({ line, column });
    }
  });
});
