import type { ResolvedTraffic } from '../config/resolved-config.ts';
import type { StoppedScenario } from '../contracts/plan.ts';
import type { PriceBook } from '../contracts/price-book.ts';
import { isTokenKind, type PaidKind } from '../core/call-kind.ts';
import { cheapestModels } from '../pricebook/charge/cheapest-models.ts';

/** Which model a scenario calls, and why that one. */
export interface ChosenModel {
  readonly scenario: string;
  readonly model: string;
  readonly why: string;
}

export interface ModelChoice {
  readonly chosen: ChosenModel[];
  readonly stopped: StoppedScenario[];
}

/** The configured model of each scenario, else the cheapest priced one of its kind that the target lists. */
export function chooseModels(
  traffic: readonly ResolvedTraffic[],
  book: PriceBook | null,
  listedModels: readonly string[] | null,
): ModelChoice {
  const cheapest =
    book === null ? null : cheapestModels(book, listedModels ?? book.models.map(({ model }) => model));
  const choice: ModelChoice = { chosen: [], stopped: [] };
  for (const { name: scenario, kind, model: configured } of traffic) {
    const family = modelFamily(kind);
    const found = cheapest?.[family] ?? null;
    if (configured !== null) {
      choice.chosen.push({ scenario, model: configured, why: 'configured' });
    } else if (found !== null) {
      const among = listedModels === null ? 'in the price book' : 'listed and in the price book';
      choice.chosen.push({ scenario, model: found, why: `cheapest ${family} model ${among}` });
    } else {
      const why =
        book === null ? 'there is no readable price book' : 'no listed model of this kind is priced';
      choice.stopped.push({ scenario, kind, model: '', reason: `no model is configured and ${why}` });
    }
  }
  return choice;
}

export function modelFamily(kind: PaidKind): 'text' | 'image' | 'video' {
  if (isTokenKind(kind)) return 'text';
  return kind === 'video' ? 'video' : 'image';
}
