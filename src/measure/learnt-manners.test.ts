import { expect, it } from 'vitest';
import { learntBy } from './learnt-manners.ts';
import { stateLine } from './ledger.test-support.ts';

it('gathers what the instances learnt of a scenario, each once, and nothing of others', () => {
  const states = [
    stateLine({ scenario: 'chat', learnt: ['no_stream_options', 'max_completion_tokens'] }),
    stateLine({ scenario: 'chat', learnt: ['no_stream_options'] }, { instance: 'i2' }),
    stateLine({ scenario: 'other' }, { instance: 'i3' }),
  ];
  expect(learntBy('chat', states)).toEqual({ learnt: ['max_completion_tokens', 'no_stream_options'] });
  expect(learntBy('other', states)).toEqual({});
});
