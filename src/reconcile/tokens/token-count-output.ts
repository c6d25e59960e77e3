import type { AnswerText, CallRow } from '../../contracts/ledger-lines.ts';
import { isTextKind } from '../../core/call-kind.ts';
import { compareText } from '../../core/compare-text.ts';
import type { OwnOutput, OwnOutputs } from './own-outputs.ts';
import { countByEncoding, encodingsOf } from './token-count-encodings.ts';
import { LEAST_CALLS, MOST_COUNTED, templateOf } from './token-count-learn.ts';

/** Longer answers are not counted, nor shorter ones: a few tokens are as many in every encoding. */
const MOST_CHARS = 32_768;
const LEAST_TOKENS = 8;

/** Reasons to stop of an answer that is text alone, as the formats serve them. A stop sequence leaves out what was made of it. */
const TEXT_ENDS: readonly (string | null)[] = ['stop', 'length', 'end_turn', 'max_tokens', 'completed'];

/** Gives the texts of rows, of those that have one. */
export type ReadTexts = (rows: readonly CallRow[]) => Promise<ReadonlyMap<string, AnswerText>>;

const counted = new WeakMap<readonly CallRow[], Promise<OwnOutputs>>();

/** Counts the kept texts of answers. The rows of one array, asked for again, are counted once. */
export function ownOutputs(rows: readonly CallRow[], read: ReadTexts): Promise<OwnOutputs> {
  const known = counted.get(rows);
  if (known !== undefined) return known;
  const counts = countRows(rows, read);
  counted.set(rows, counts);
  return counts;
}

async function countRows(rows: readonly CallRow[], read: ReadTexts): Promise<OwnOutputs> {
  const text = rows.filter(
    ({ kind, outcome, usage }) =>
      isTextKind(kind) && outcome === 'ok' && usage !== null && usage.output !== null,
  );
  const groups = Map.groupBy(text.filter(isPlainText), ({ model, kind, finish }) =>
    JSON.stringify([model, kind, finish]),
  );
  const samples = [...groups.values()].map(sampled);
  const texts = await read(samples.flat());
  const reasoning = reasoningModels(text, texts);
  return {
    calls: new Map(
      samples.flatMap((sample) =>
        learn(sample.flatMap((row) => answerOf(row, texts.get(row.call_id), reasoning))),
      ),
    ),
    text_calls: text.length,
  };
}

function isPlainText({ model, text_ref, finish, tools, out_chars }: CallRow): boolean {
  return (
    model !== null &&
    text_ref !== null &&
    TEXT_ENDS.includes(finish) &&
    Object.keys(tools ?? {}).length === 0 &&
    (out_chars ?? 0) <= MOST_CHARS
  );
}

/** The same calls whatever the order of the rows. */
function sampled(rows: readonly CallRow[]): readonly CallRow[] {
  const ordered = rows.toSorted(
    (left, right) =>
      compareText(left.started_at, right.started_at) || compareText(left.call_id, right.call_id),
  );
  const step = Math.ceil(ordered.length / MOST_COUNTED);
  return ordered.filter((_, index) => index % step === 0);
}

/** Models that were seen to reason, by what any of their answers told or showed. */
function reasoningModels(
  rows: readonly CallRow[],
  texts: ReadonlyMap<string, AnswerText>,
): ReadonlySet<string | null> {
  const reasoned = rows.filter(
    ({ call_id, usage }) =>
      (usage?.reasoning ?? 0) > 0 || texts.get(call_id)?.beside.includes('reasoning') === true,
  );
  return new Set(reasoned.map(({ model }) => model));
}

interface Answer {
  readonly row: CallRow;
  readonly text: string;
  readonly told: number;
}

/** Nothing of an answer that holds more than text, and of one that may hold reasoning without telling how much. */
function answerOf(
  row: CallRow,
  kept: AnswerText | undefined,
  reasoning: ReadonlySet<string | null>,
): readonly Answer[] {
  const output = row.usage?.output ?? null;
  if (kept === undefined || output === null) return [];
  if (kept.beside.some((channel) => channel !== 'reasoning')) return [];
  const hidden = row.usage?.reasoning ?? null;
  if (hidden === null && reasoning.has(row.model)) return [];
  const told = output - (hidden ?? 0);
  return told < 0 ? [] : [{ row, text: kept.text, told }];
}

/** The first encoding under which nearly all answers are told the same number of tokens beyond their own. */
function learn(answers: readonly Answer[]): readonly (readonly [string, OwnOutput])[] {
  if (answers.length < LEAST_CALLS) return [];
  for (const encoding of encodingsOf(answers[0]?.row.model ?? '')) {
    const counts = answers
      .map((answer) => ({ ...answer, own: countByEncoding(encoding, answer.text) }))
      .filter(({ own }) => own >= LEAST_TOKENS);
    const added = templateOf(counts.map(({ told, own }) => told - own));
    if (added === null) continue;
    const agreeing = counts.filter(({ told, own }) => told - own === added);
    // How a longer text is counted, nothing has shown.
    const longest = Math.max(...agreeing.map(({ own }) => own));
    return counts
      .filter(({ own }) => own <= longest)
      .map(({ row, own, told }) => [row.call_id, { encoding, text: own, added, told }] as const);
  }
  return [];
}
