import type { ResolvedTraffic } from '../config/resolved-config.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
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

/** Words in an id that tell of a model that writes no text. */
const OTHER_KINDS =
  /embed|rerank|whisper|transcri|tts|speech|audio|moderation|dall-e|image|diffusion|flux|sora|video|veo/i;

/**
 * The configured model of each scenario of a target without prices, else the first of its list. Throws `model_needed`
 * (exit 2) where a list is missing, or holds none that writes text.
 */
export function firstModels(
  traffic: readonly ResolvedTraffic[],
  listedModels: readonly string[] | null,
): ModelChoice {
  const chosen = traffic.map(({ name: scenario, kind, model }): ChosenModel => {
    if (model !== null) return { scenario, model, why: 'configured' };
    const first = isTokenKind(kind) ? firstOf(kind, listedModels ?? []) : undefined;
    if (first === undefined) throw modelNeeded(kind, listedModels);
    return {
      scenario,
      model: first,
      why: `first ${kind === 'embedding' ? 'embedding' : 'text'} model of the list`,
    };
  });
  return { chosen, stopped: [] };
}

function firstOf(kind: PaidKind, listed: readonly string[]): string | undefined {
  return listed.find((id) => (kind === 'embedding' ? /embed/i.test(id) : !OTHER_KINDS.test(id)));
}

function modelNeeded(kind: PaidKind, listed: readonly string[] | null): WeighbridgeError {
  const found =
    listed === null
      ? 'GET /v1/models gave no readable list'
      : listed.length === 0
        ? 'GET /v1/models lists no model'
        : `GET /v1/models lists ${listed.slice(0, 5).join(', ')}`;
  return new WeighbridgeError({
    code: 'model_needed',
    message: `Weighbridge does not know which model to call for ${kind}: ${found}.`,
    hint: 'Give --model ID, or set traffic[].model in the configuration.',
  });
}

export function modelFamily(kind: PaidKind): 'text' | 'image' | 'video' {
  if (isTokenKind(kind)) return 'text';
  return kind === 'video' ? 'video' : 'image';
}
