import { describe, expect, it } from 'vitest';
import { finding } from '../report.test-support.ts';
import { findingsCsv } from './write-report.ts';

describe('findingsCsv', () => {
  it('has one row a finding, CRLF at the end of each, and nothing where nothing is known', () => {
    const csv = findingsCsv([finding({ model: '=m', delta_exact: null, delta_min: '-0.5' })]);
    expect(csv).toBe(
      'id,class,severity,confidence,direction,delta_exact,delta_min,delta_max,request_id,call_id,model,rule,evidence,explanation,next_step,provisional,warrant,in_difference\r\n' +
        'f1,duplicate_charge,S1,proved,over,,-0.5,0.0125,r1,c1,\'=m,two_records_one_call,request:r1 record:u1 record:u2,"One call, two settled records.",Show both record ids to the provider.,false,document: the price book,false\r\n',
    );
  });

  it('marks the rows whose deltas add up to the difference: no group beside its members, nothing provisional', () => {
    const csv = findingsCsv([
      finding({ id: 'member', group: 'cause', bridge: 'settled', delta_exact: '0.5' }),
      finding({ id: 'cause', bridge: 'none', delta_exact: '0.5' }),
      finding({ id: 'awaited', provisional: true, bridge: 'settled', delta_exact: '7' }),
      finding({ id: 'held', bridge: 'held', delta_exact: '9' }),
    ]);
    const marks = csv.trimEnd().split('\r\n').slice(1);
    expect(marks.map((line) => [line.split(',')[0], line.split(',').at(-1)])).toEqual([
      ['member', 'true'],
      ['cause', 'false'],
      ['awaited', 'false'],
      ['held', 'false'],
    ]);
  });
});
