import { type ListedFault, type ListedParameter, listFaults } from '../src/gateway/faults/fault-list.ts';
import { SCENARIOS } from '../src/gateway/faults/scenarios/scenarios.ts';
import type { ChargeEffect } from '../src/gateway/hooks/fault-definition.ts';

/** What an audit finds of a fault, as test/corpus/faults.json has it. */
export interface GradedFault {
  readonly fault: string;
  readonly variant?: string | undefined;
  readonly class: string | null;
  readonly direction: string;
  readonly why?: string | undefined;
}

const FAMILIES: Readonly<Record<string, string>> = {
  net: 'Connections and bytes',
  http: 'Status, headers and error bodies',
  sem: 'Well-formed but wrong answers, tasks that go wrong',
  bill: 'Charges, records, totals',
  cache: 'Hits of the prompt cache',
};

const CHARGE: { readonly [E in ChargeEffect]: string } = {
  charged: 'as usual',
  not_charged: 'not charged',
  wrong: 'wrong',
  none: 'no effect',
  varies: 'by parameter',
};

/** A parameter that so many faults take is explained once, in a table of its own. */
const SHARED_BY = 3;
const SHARED_TITLE = 'Parameters that several faults take';
const SHARED_ANCHOR = SHARED_TITLE.toLowerCase().replaceAll(' ', '-');

/** A table for each family of faults. Throws for one that the corpus does not know. */
export function faultTables(graded: readonly GradedFault[], table: Table): string {
  const faults = listFaults();
  const byText = Map.groupBy(
    faults.flatMap(({ parameters }) => parameters),
    parameter,
  );
  const shared = [...byText].filter(([, { length }]) => length >= SHARED_BY);
  const isShared = new Set(shared.map(([text]) => text));
  const shown = (one: ListedParameter) =>
    isShared.has(parameter(one)) ? `[\`${one.name}\`](#${SHARED_ANCHOR})` : parameter(one);
  const strange = graded.filter((entry) => !faults.some(({ id }) => id === entry.fault));
  if (strange.length > 0)
    throw new Error(`findings of faults that do not exist: ${strange.map(({ fault }) => fault).join(', ')}`);
  const families = Object.entries(FAMILIES).map(([family, title]) => {
    const rows = faults
      .filter(({ id }) => id.startsWith(`${family}.`))
      .map((fault) => [
        `\`${fault.id}\``,
        fault.summary,
        cell(fault.hits),
        fault.parameters.length === 0 ? 'none' : fault.parameters.map(shown).join('<br>'),
        CHARGE[fault.charge],
        findings(fault, graded),
      ]);
    const head = ['fault', 'what it does', 'hits', 'parameters', 'charge', 'finding'];
    return `## ${title}\n\n${table(head, rows)}`;
  });
  const rows = shared.flatMap(([, [first]]) =>
    first === undefined ? [] : [[`\`${first.name}\``, first.takes, usual(first), cell(first.description)]],
  );
  const list = table(['parameter', 'takes', 'default', 'meaning'], rows);
  return [`## ${SHARED_TITLE}\n\n${list}`, ...families].join('\n\n');
}

export function scenarioTable(table: Table): string {
  const rows = SCENARIOS.map(({ name, what_happened, source, faults }) => [
    `\`${name}\``,
    what_happened,
    faults
      .map(({ fault, select = {}, when }) => `\`${fault}\` ${hit(select)}${hit(when)}`.trim())
      .join('<br>'),
    source ?? 'asked for by users of mock servers',
  ]);
  return table(['scenario', 'what happened', 'faults', 'source'], rows);
}

function hit(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${String(value)} `)
    .join('');
}

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string;

function parameter(one: ListedParameter): string {
  return `\`${one.name}\` (${one.takes}; ${usual(one)}): ${cell(one.description)}`;
}

function usual({ default: value }: ListedParameter): string {
  return value === null ? 'required' : `\`${cell(JSON.stringify(value))}\``;
}

function findings({ id }: ListedFault, graded: readonly GradedFault[]): string {
  const entries = graded.filter(({ fault }) => fault === id);
  if (entries.length === 0) throw new Error(`${id}: give its finding in test/corpus/faults.json`);
  const byFinding = Map.groupBy(entries, (entry) => {
    const why = entry.why === undefined ? '' : ` (${cell(entry.why)})`;
    return entry.class === null ? 'none' : `\`${entry.class}\`, ${entry.direction}${why}`;
  });
  // Variants that are found alike share a line, and need no names where there is no other.
  if (byFinding.size === 1 && entries.length > 1) return [...byFinding.keys()].join('');
  return [...byFinding]
    .map(([found, alike]) => {
      const variants = alike.flatMap(({ variant }) => (variant === undefined ? [] : [cell(variant)]));
      return variants.length === 0 ? found : `${variants.join('; ')}: ${found}`;
    })
    .join('<br>');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
