import type { UsageRecord } from '../../contracts/interface.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { formatAmount } from '../../core/amount.ts';
import { seededRandom } from '../../core/seeded-random.ts';
import { formatInstant } from '../../core/time.ts';
import {
  archivedBook,
  bookDocument,
  recordOf,
  START_MS,
  START_S,
  textRow,
} from '../reconcile.test-support.ts';

/** How a small target of its own serves calls that begin with one of a few texts. */
export interface CachingTarget {
  readonly seed: number;
  readonly calls?: number;
  /** Longest time between two calls, s. */
  readonly most_gap_s?: number;
  readonly lifetime_s?: number;
  /** How many texts the cache holds; the one that was used longest ago gives way. */
  readonly room?: number;
  /** Share of the hits that are kept back. */
  readonly withheld?: number;
  /** Cached tokens are whole blocks of so many. */
  readonly block?: number;
  /** A miss writes the text into the cache, and charges it. */
  readonly writes?: boolean;
}

const TEXTS = 5;
const OUTPUT = 100;
/** 10⁻¹² USD a token, and the step to which a charge is rounded, half up. */
const [INPUT_PRICE, OUTPUT_PRICE, READ_PRICE, WRITE_PRICE] = [2_000_003n, 8_000_000n, 500_000n, 2_500_000n];
const STEP = 10_000n;

/** The price list by which `serve` charges. */
export const CACHING_BOOK = archivedBook(
  bookDocument({
    models: [
      {
        id: 'text-1',
        kind: 'text',
        unit: 'per_1m_tokens',
        input: '2.000003',
        output: '8',
        cache_read: '0.5',
        cache_write: '2.5',
        max_output_tokens: 4000,
      },
    ],
  }),
);

export interface Served {
  readonly rows: readonly CallRow[];
  readonly records: readonly UsageRecord[];
  /** What was charged more for hits that were kept back. */
  readonly withheld: string;
  readonly withheld_calls: number;
}

/** Serves one call after the other; charges and the sum of what was withheld are this file's own arithmetic. */
export function serve({
  seed,
  calls = 120,
  most_gap_s = 20,
  lifetime_s = 300,
  room = TEXTS,
  withheld = 0,
  block = 1,
  writes = false,
}: CachingTarget): Served {
  const random = seededRandom('caching-target', seed);
  const used = new Map<number, number>();
  const served = Array.from({ length: TEXTS }, (_, text) => 1100 + 37 * text + random.below(900));
  const rows: CallRow[] = [];
  const records: UsageRecord[] = [];
  let at_s = 0;
  let kept = 0n;
  let keptCalls = 0;
  for (let call = 0; call < calls; call += 1) {
    at_s += 2 + random.below(most_gap_s);
    const text = random.below(TEXTS);
    const own = 20 + random.below(60);
    const tokens = served[text] ?? 0;
    const input = tokens + own;
    const last = used.get(text) ?? Number.NEGATIVE_INFINITY;
    const isHit = at_s - last <= lifetime_s;
    used.delete(text);
    used.set(text, at_s);
    for (const oldest of used.keys()) if (used.size > room) used.delete(oldest);
    const held = tokens - (tokens % block);
    const isWithheld = isHit && random.below(1000) < withheld * 1000;
    const read = isHit && !isWithheld ? held : 0;
    const write = writes && read === 0 ? held : 0;
    const charge = chargeOf(input, read, write);
    if (isWithheld) keptCalls += 1;
    if (isWithheld) kept += charge - chargeOf(input, held, 0);
    const name = `${seed}-${call}`;
    const usage = { input, output: OUTPUT, cache_read: read, cache_write: write, reasoning: null, raw: {} };
    rows.push(
      textRow(name, {
        started_at: formatInstant(START_MS + at_s * 1000),
        key_fp: 'f'.repeat(16),
        usage,
        prompt_bytes: input * 5,
        prefixes: [
          { bytes: tokens * 5, digest: `aaaa${text}`.padEnd(16, '0') },
          { bytes: input * 5, digest: `bbbb${call}`.padEnd(16, '0') },
        ],
      }),
    );
    const amount = formatAmount(charge);
    records.push(
      recordOf(name, {
        created_at: START_S + at_s,
        amount,
        reserved_amount: amount,
        refunded_amount: '0',
        input_tokens: input,
        output_tokens: OUTPUT,
        cache_read_tokens: read,
        cache_write_tokens: write,
      }),
    );
  }
  return { rows, records, withheld: formatAmount(kept), withheld_calls: keptCalls };
}

function chargeOf(input: number, read: number, write: number): bigint {
  const [all, cached, written] = [input, read, write].map(BigInt);
  const exact =
    ((all ?? 0n) - (cached ?? 0n) - (written ?? 0n)) * INPUT_PRICE +
    (cached ?? 0n) * READ_PRICE +
    (written ?? 0n) * WRITE_PRICE +
    BigInt(OUTPUT) * OUTPUT_PRICE;
  return ((exact + STEP / 2n) / STEP) * STEP;
}
