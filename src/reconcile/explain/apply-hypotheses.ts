import type { Confidence, FaultClass } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';
import { compareText } from '../../core/compare-text.ts';
import { gradeOf } from '../../pricebook/charge/evaluate-charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { Judgement } from '../judge/judgement.ts';
import { type CellExplanation, type Explained, explainCell } from './explain-cell.ts';
import { fits, type Hypothesis, suffices } from './hypothesis.ts';
import { acceptedRow, isUnexplained, mismatchedRow } from './judged-rows.ts';
import type { MismatchedRow, PricedRow } from './mismatched-row.ts';
import { type NamedRows, namedFindings, openText, type RightRows } from './named-findings.ts';
import { cellId, priceCells } from './price-cell.ts';
import { residualBias } from './residual-bias.ts';
import { judgeVersions } from './stale-versions.ts';

/**
 * Replaces findings that say only that an amount is wrong by what is wrong with it, as far as one explanation fits many
 * rows, or is the only simple one that fits a row. What fits many is told once, above its rows.
 */
export function applyHypotheses(
  context: JudgeContext,
  judgements: readonly Judgement[],
): readonly Judgement[] {
  const dated = judgeVersions(context, judgements);
  const rows = dated.flatMap((judgement, index) => {
    const row = mismatchedRow(context, judgement);
    return row === null ? [] : [{ row, index }];
  });
  if (rows.length === 0) return dated;
  const indexOf = new Map(rows.map(({ row, index }) => [row, index]));
  const cells = preferGeneral(
    priceCells(rows.map(({ row }) => row)).map((cell) => explainCell(cell, context.shelf.books)),
  );
  const replaced = new Map<number, Finding>();
  const groups: Finding[] = [];
  const right = rightRows(
    context,
    dated,
    cells.flatMap(({ explained }) => explained),
  );
  for (const named of namedRows(
    cells.flatMap(({ explained }) => explained),
    right,
  )) {
    const byKey = new Map(named.held.map((row) => [row.key, row]));
    const { group, children } = namedFindings(named.rows);
    if (group !== null) groups.push(group);
    for (const { key, finding } of children) {
      const row = byKey.get(key);
      const index = row === undefined ? undefined : indexOf.get(row);
      if (index !== undefined) replaced.set(index, finding);
    }
  }
  for (const { row, fitting } of cells.flatMap(({ open }) => open)) {
    const index = indexOf.get(row);
    const names = [...new Set(fitting.map(({ name }) => name))];
    if (index !== undefined) replaced.set(index, openText(row.finding, names));
  }
  return [
    ...dated.map((judgement, index) => {
      const finding = replaced.get(index);
      return finding === undefined ? judgement : withFinding(judgement, finding);
    }),
    ...(groups.length === 0 ? [] : [{ calls: [], money: [], findings: groups }]),
  ];
}

/** Explained rows by class and name, over all cells that share them. */
function namedRows(
  explained: readonly Explained[],
  right: ReadonlyMap<string, RightRows>,
): readonly { readonly rows: NamedRows; readonly held: readonly MismatchedRow[] }[] {
  const byName = Map.groupBy(explained, ({ hypothesis }) => `${hypothesis.class} ${hypothesis.name}`);
  return [...byName]
    .sort(([left], [after]) => compareText(left, after))
    .flatMap(([key, parts]) => {
      const [first] = parts;
      if (first === undefined) return [];
      const { hypothesis } = first;
      const held = parts.flatMap(({ rows }) => rows);
      const cells = [...new Set(parts.map(({ cell }) => cell))];
      const wrong = cells.flatMap(({ rows }) => rows);
      const [fits, ...more] = parts.map(({ others: also }) => new Set(also.map(({ name }) => name)));
      const others = [...(fits ?? [])].filter((name) => more.every((also) => also.has(name)));
      const rows: NamedRows = {
        name: hypothesis.name,
        class: hypothesis.class,
        confidence: confidenceOf(hypothesis, held),
        told: hypothesis.told,
        others,
        rows: held.map((row) => ({
          key: row.key,
          record_id: row.record_id,
          model: row.context.model,
          cell: cellId(row),
          charged: row.charged,
          due: row.due,
          finding: row.finding,
        })),
        of: wrong.length,
        right: right.get(key) ?? { alike: 0, unlike: 0, bias: null },
        charged: wrong.reduce((sum, { charged }) => sum + charged, 0n),
      };
      return [{ rows, held }];
    });
}

/** One row proves a wrong amount, not its cause; inferred prices prove neither. */
function confidenceOf({ confidence }: Hypothesis, rows: readonly MismatchedRow[]): Confidence {
  if (rows.some(({ book }) => gradeOf(book) === 'inferred')) return 'weak';
  return rows.length > 1 ? confidence : 'strong';
}

/** Rows that are charged as due, by whether each explanation of their cells would change them. */
function rightRows(
  context: JudgeContext,
  judgements: readonly Judgement[],
  explained: readonly Explained[],
): ReadonlyMap<string, RightRows> {
  const wanted = new Set(explained.map(({ cell }) => cell.id));
  const accepted = judgements.flatMap((judgement) => {
    const row = isOfCells(judgement, wanted) ? acceptedRow(context, judgement) : null;
    return row === null ? [] : [row];
  });
  const byCell: ReadonlyMap<string, readonly PricedRow[]> = Map.groupBy(accepted, cellId);
  const counted = new Map<string, RightRows>();
  const byName = Map.groupBy(explained, ({ hypothesis }) => `${hypothesis.class} ${hypothesis.name}`);
  for (const [key, parts] of byName) {
    const [first] = parts;
    if (first === undefined) continue;
    const { hypothesis } = first;
    const cells = new Set(parts.map(({ cell }) => cell.id));
    const rows = [...cells].flatMap((cell) => byCell.get(cell) ?? []);
    const unlike = rows.filter((row) => differs(hypothesis, row)).length;
    const rounds = hypothesis.class === 'rounding_bias';
    counted.set(key, {
      alike: rows.length - unlike,
      unlike,
      bias: rounds ? residualBias([...rows, ...parts.flatMap((part) => part.rows)]) : null,
    });
  }
  return counted;
}

function differs(hypothesis: Hypothesis, row: PricedRow): boolean {
  const charge = hypothesis.charge(row);
  return charge !== null && (row.charged < charge.lo || row.charged > charge.hi);
}

/** Cheaper than making a row of each: the cells name model, endpoint and version. */
function isOfCells({ subject }: Judgement, cells: ReadonlySet<string>): boolean {
  if (subject === undefined) return false;
  const { call, record } = subject;
  return cells.has(`${call.model}/${call.kind}/${record.pricing_version}`);
}

/** The judgement with its unexplained finding named, in its line of the judged calls too. */
function withFinding(judgement: Judgement, finding: Finding): Judgement {
  const before = judgement.findings.find(isUnexplained);
  return {
    ...judgement,
    findings: judgement.findings.map((held) => (held === before ? finding : held)),
    calls: judgement.calls.map((call) =>
      before === undefined ? call : { ...call, why: call.why.replace(before.class, finding.class) },
    ),
  };
}

/** Prices that the book itself states for the model: several rows at such a price are no chance. */
const STATED: ReadonlySet<FaultClass> = new Set(['service_tier_price', 'tier_not_applied']);

/**
 * One cause for all models is simpler than a cause for each: where an explanation that is tied to no model was found at
 * one of them, it also explains the rows of others that it fits, unless theirs is as general and found elsewhere too.
 */
function preferGeneral(cells: readonly CellExplanation[]): readonly CellExplanation[] {
  const models = new Map<string, Set<string>>();
  const general = new Map<string, Hypothesis>();
  for (const { hypothesis, rows, cell } of cells.flatMap(({ explained }) => explained)) {
    if (!hypothesis.general || !suffices(hypothesis, rows)) continue;
    general.set(hypothesis.name, hypothesis);
    models.set(hypothesis.name, (models.get(hypothesis.name) ?? new Set()).add(cell.model));
  }
  if (general.size === 0) return cells;
  const found = [...general.values()].sort((left, right) => left.rank - right.rank);
  function elsewhere(name: string, model: string): boolean {
    return [...(models.get(name) ?? [])].some((other) => other !== model);
  }
  function better({ hypothesis, rows, cell }: Explained): Hypothesis | undefined {
    if (hypothesis.general && elsewhere(hypothesis.name, cell.model)) return undefined;
    if (STATED.has(hypothesis.class) && suffices(hypothesis, rows)) return undefined;
    return found.find((other) => elsewhere(other.name, cell.model) && rows.every((row) => fits(other, row)));
  }
  return cells.map(({ cell, explained, open }) => {
    const swapped = explained.map((held): Explained => {
      const other = better(held);
      return other === undefined
        ? held
        : { ...held, hypothesis: other, others: [held.hypothesis, ...held.others] };
    });
    const joined: Explained[] = [];
    const left = open.filter(({ row }) => {
      const other = found.find((hypothesis) => fits(hypothesis, row));
      if (other === undefined) return true;
      joined.push({ cell, rows: [row], hypothesis: other, others: [] });
      return false;
    });
    return { cell, explained: [...swapped, ...joined], open: left };
  });
}
