import { describe, expect, it } from 'vitest';
import { csvCell, csvLine } from './csv-line.ts';

describe('csvCell', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ['\n=x', '"\'\n=x"'],
    ['-2+3+cmd', "'-2+3+cmd"],
    ['=A1,"x"', '"\'=A1,""x"""'],
    ['＝1+1', "'＝1+1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['-0.0125', '-0.0125'],
    ['-12', '-12'],
    ['-12\n', '"\'-12\n"'],
    ['-', "'-"],
    ['-1e5', "'-1e5"],
    ["=cmd|'/c calc'!A0", "'=cmd|'/c calc'!A0"],
    ['=HYPERLINK("http://x.test","y")', '"\'=HYPERLINK(""http://x.test"",""y"")"'],
  ])('%j becomes %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });
});

it('a line ends with CRLF, and header cells are cells', () => {
  expect(csvLine(['a', '=b', ''])).toBe("a,'=b,\r\n");
});
