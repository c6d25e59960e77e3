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
  sem: 'Wrong things said well-formed, tasks that go astray',
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

/** A table for each family of faults. Throws for one that the corpus does not know. */
export function faultTables(graded: readonly GradedFault[], table: Table): string {
  const faults = listFaults();
  const strange = graded.filter((entry) => !faults.some(({ id }) => id === entry.fault));
  if (strange.length > 0)
    throw new Error(`findings of faults that do not exist: ${strange.map(({ fault }) => fault).join(', ')}`);
  return Object.entries(FAMILIES)
    .map(([family, title]) => {
      const rows = faults
        .filter(({ id }) => id.startsWith(`${family}.`))
        .map((fault) => [
          `\`${fault.id}\``,
          fault.summary,
          cell(fault.hits),
          fault.parameters.length === 0 ? 'none' : fault.parameters.map(parameter).join('<br>'),
          CHARGE[fault.charge],
          findings(fault, graded),
        ]);
      const head = ['fault', 'what it does', 'hits', 'parameters', 'charge', 'finding'];
      return `## ${title}\n\n${table(head, rows)}`;
    })
    .join('\n\n');
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

function parameter({ name, takes, default: usual, description }: ListedParameter): string {
  const given = usual === null ? 'has to be given' : `\`${cell(JSON.stringify(usual))}\``;
  return `\`${name}\` (${takes}; ${given}): ${cell(description)}`;
}

function findings({ id }: ListedFault, graded: readonly GradedFault[]): string {
  const entries = graded.filter(({ fault }) => fault === id);
  if (entries.length === 0) throw new Error(`${id}: give its finding in test/corpus/faults.json`);
  return entries
    .map((entry) => {
      const why = entry.why === undefined ? '' : ` (${cell(entry.why)})`;
      const found = entry.class === null ? 'none' : `\`${entry.class}\`, ${entry.direction}${why}`;
      return entry.variant === undefined ? found : `${cell(entry.variant)}: ${found}`;
    })
    .join('<br>');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
