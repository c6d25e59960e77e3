import { type ListedParameter, listFaults } from '../../gateway/faults/fault-list.ts';
import { SCENARIOS } from '../../gateway/faults/scenarios/scenarios.ts';
import type { ChargeEffect } from '../../gateway/hooks/fault-definition.ts';

const CHARGE: { readonly [E in ChargeEffect]: string } = {
  charged: 'as usual',
  not_charged: 'not charged',
  wrong: 'wrong',
  none: 'no effect',
  varies: 'by parameter',
};

/** What `--list-faults` prints for a reader: a row for each fault, below it what it hits and its parameters; the scenarios. */
export function faultCatalogueLines(): string[] {
  const faults = listFaults();
  const idWidth = Math.max(...faults.map(({ id }) => id.length));
  const chargeWidth = Math.max(...Object.values(CHARGE).map((text) => text.length));
  const row = (id: string, charge: string, text: string): string =>
    `${id.padEnd(idWidth)}  ${charge.padEnd(chargeWidth)}  ${text}`;
  return [
    row('FAULT', 'CHARGE', 'WHAT THE GATEWAY DOES'),
    ...faults.flatMap((fault) => [
      row(fault.id, CHARGE[fault.charge], plain(fault.summary)),
      `    hits ${plain(fault.hits)}`,
      ...fault.parameters.map(parameterLine),
    ]),
    '',
    'SCENARIOS: --faults scenario:NAME',
    ...SCENARIOS.flatMap(({ name, what_happened, source }) => [
      name,
      `    ${what_happened}${source === null ? '' : ` (${source})`}`,
    ]),
  ];
}

function parameterLine({ name, takes, default: usual, description }: ListedParameter): string {
  const given = usual === null ? 'has to be given' : `default ${JSON.stringify(usual)}`;
  return `    ${name} (${plain(takes)}; ${given}): ${plain(description)}`;
}

/** The texts are written for pages, where names stand in backticks. */
function plain(text: string): string {
  return text.replaceAll('`', '');
}

/** The same as data: faults, then scenarios, told apart by `kind`. */
export function faultCatalogue(): readonly object[] {
  return [
    ...listFaults().map((fault) => ({ kind: 'fault', ...fault })),
    ...SCENARIOS.map((scenario) => ({ kind: 'scenario', ...scenario })),
  ];
}
