import { describe, expect, test } from 'vitest';
import { compileCells } from '../../pricebook/cells/compile-cells.ts';
import { reconcile } from '../reconcile.ts';
import { acceptedCalls } from '../records/accepted-sums.ts';
import { TEXT_MODEL } from '../rows.test-support.ts';
import { acceptanceOf, accepted } from './acceptance.test-support.ts';
import { BOOK, CALLS, shownOf, worldOf } from './random-world.test-support.ts';

describe('what is accepted', () => {
  const { reading } = BOOK;
  const cells =
    'unreadable' in reading
      ? []
      : compileCells(reading.book, { models: [TEXT_MODEL], group: null, key_fp: null }).cells;

  test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
    'is clean for every judge, world %i',
    async (seed) => {
      const world = worldOf(seed);
      const done = await acceptanceOf(world, {
        cells: () => cells,
        witnesses_per_price: seed % 2 === 0 ? 4 : 0,
      });
      await done.store.close();
      const { accepted: sums, ledger, records } = accepted(done);
      const ids = new Set(done.ids);
      const requests = new Set(done.ids.map((id) => id.replace('call', 'req')));
      const whole = reconcile(world);
      const judged = whole.calls.filter(({ call_id }) => call_id !== null && ids.has(call_id));
      expect(ids.size).toBeGreaterThan(CALLS / 10);
      const witnesses = new Set(sums.witnesses);
      const given = done.ids.filter((id) => !witnesses.has(id));
      expect(acceptedCalls(sums)).toBe(given.length);
      expect(judged.map(({ verdict }) => verdict)).toEqual(done.ids.map(() => 'to_the_digit'));
      const accusing = whole.findings.filter(
        ({ call_id, request_id }) => ids.has(call_id ?? '') || requests.has(request_id ?? ''),
      );
      expect(accusing).toEqual([]);
      expect([...ledger.rows.map(({ call_id }) => call_id), ...given].sort()).toEqual(
        world.ledger.rows.map(({ call_id }) => call_id).sort(),
      );
      expect(shownOf(reconcile({ ...world, ledger, records, accepted: sums }))).toEqual(shownOf(whole));
    },
  );
});
