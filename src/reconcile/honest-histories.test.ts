import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UsageRecord } from '../contracts/interface.ts';
import type { CallRow, Intent } from '../contracts/ledger-lines.ts';
import { formatInstant } from '../core/time.ts';
import {
  brief,
  cutRow,
  errorRow,
  IMAGE_RECORD,
  imageRow,
  intentOf,
  judge,
  recordOf,
  START_MS,
  START_S,
  type SweepSpec,
  TOLD_TIMES,
  textRow,
  VIDEO_RECORD,
  videoRow,
} from './reconcile.test-support.ts';

const HELD: Partial<UsageRecord> = {
  billing_status: 'pending',
  result: 'unknown',
  amount: '0',
  refunded_amount: '0',
};
const MINUTE_S = 60;

interface Lived {
  readonly kind: 'text' | 'no_id' | 'cut' | 'killed' | 'refused' | 'image' | 'video' | 'failed_video';
  /** Second of its start. */
  readonly second: number;
  /** Seconds until its record shows, and from then until it settles. */
  readonly shown_s: number;
  readonly settled_s: number;
}

const kind = fc.constantFrom<Lived['kind']>(
  'text',
  'text',
  'no_id',
  'cut',
  'killed',
  'refused',
  'image',
  'video',
  'failed_video',
);
const lived = fc.record({
  kind,
  second: fc.nat(120),
  shown_s: fc.nat(5 * MINUTE_S),
  settled_s: fc.nat(5 * MINUTE_S),
});

interface Told {
  readonly row: CallRow | null;
  readonly intent: Intent | null;
  readonly at: (second: number) => UsageRecord | null;
}

function tell({ kind, second, shown_s, settled_s }: Lived, name: string): Told {
  const at = { started_at: formatInstant(START_MS + second * 1000) };
  const noId = { request_id: null, request_ids: [] };
  const created = { created_at: START_S + second };
  const last: UsageRecord =
    kind === 'image'
      ? recordOf(name, { ...IMAGE_RECORD, ...created })
      : kind === 'video'
        ? recordOf(name, { ...VIDEO_RECORD, ...created })
        : kind === 'failed_video'
          ? recordOf(name, {
              ...VIDEO_RECORD,
              billing_status: 'refunded',
              result: 'failed',
              amount: '0',
              refunded_amount: '0.4',
              ...created,
            })
          : recordOf(name, created);
  const { reserved_amount } = last;
  const held = recordOf(name, {
    ...(kind === 'image' ? IMAGE_RECORD : {}),
    ...(kind.endsWith('video') ? VIDEO_RECORD : {}),
    ...HELD,
    reserved_amount,
    ...created,
  });
  const recorded = (now: number): UsageRecord | null => {
    if (now < second + shown_s) return null;
    return now < second + shown_s + settled_s ? held : last;
  };
  switch (kind) {
    case 'text':
      return { row: textRow(name, at), intent: null, at: recorded };
    case 'no_id':
      return { row: textRow(name, { ...at, ...noId }), intent: null, at: recorded };
    case 'cut':
      return { row: cutRow(name, { ...at, ...noId }), intent: null, at: recorded };
    case 'killed':
      return { row: null, intent: intentOf(name, { at: at.started_at }), at: recorded };
    case 'refused':
      return { row: errorRow(name, 400, at), intent: null, at: () => null };
    case 'image':
      return { row: imageRow(name, at), intent: null, at: recorded };
    case 'video':
      return { row: videoRow(name, at), intent: null, at: recorded };
    case 'failed_video':
      return {
        row: videoRow(name, { ...at, outcome: 'task_failed', error_type: 'task_failed' }),
        intent: null,
        at: recorded,
      };
  }
}

/** A walk over all records, which may have been cut off: then some of them are not in it. */
interface Walk {
  readonly second: number;
  readonly cut: boolean;
  readonly lost: number;
}

const walks = fc
  .array(
    fc.record({ second: fc.integer({ min: 121, max: 40 * MINUTE_S }), cut: fc.boolean(), lost: fc.nat() }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((all) => all.toSorted((left, right) => left.second - right.second));

function served(told: readonly Told[], { second, cut, lost }: Walk): SweepSpec {
  const records = told.flatMap(({ at }) => at(second) ?? []);
  return {
    records: cut ? records.filter((_, index) => ((lost >> (index % 30)) & 1) === 0) : records,
    at_ms: START_MS + second * 1000,
    complete: !cut,
  };
}

test('an honest bill has no final finding, whenever its records show and settle and whenever they are read', () => {
  fc.assert(
    fc.property(fc.array(lived, { minLength: 1, maxLength: 15 }), walks, (calls, all) => {
      const told = calls.map((call, index) => tell(call, `${index}`));
      const sweeps = all.map((walk) => served(told, walk));
      const result = judge({
        rows: told.flatMap(({ row }) => row ?? []),
        intents: told.flatMap(({ intent }) => intent ?? []),
        sweeps,
        // Without the user's word nothing would be final.
        terms: TOLD_TIMES,
      });
      expect(brief(result).filter((line) => !line.endsWith(' provisional'))).toEqual([]);
    }),
    {
      seed: 20261123,
      numRuns: 250,
      examples: [
        // Held at the last whole read; a read that was cut off after its deadline does not make it late.
        [
          [{ kind: 'text', second: 0, shown_s: 0, settled_s: 122 }],
          [
            { second: 121, cut: false, lost: 0 },
            { second: 901, cut: true, lost: 0 },
          ],
        ],
        // First seen after the last whole read: it is not gone.
        [
          [{ kind: 'text', second: 0, shown_s: 122, settled_s: 0 }],
          [
            { second: 121, cut: false, lost: 0 },
            { second: 122, cut: true, lost: 0 },
          ],
        ],
      ],
    },
  );
});
