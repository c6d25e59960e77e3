import { existsSync, writeFileSync } from 'node:fs';
import { modelId } from '../../config/model-id.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { PlanTarget } from '../../contracts/plan.ts';
import type { ModelPrice, PriceBook } from '../../contracts/price-book.ts';
import { type CheapestModels, cheapestModels } from '../../pricebook/charge/cheapest-models.ts';
import { entriesOf } from '../../pricebook/charge/match-model.ts';
import { type Offer, offeredModels } from '../target/offer.ts';

/**
 * Writes a configuration for a target by what it offers. Throws `config_exists` where a file that is not to be replaced
 * stands there, and `config_not_written` (exit 2).
 */
export function writeConfig(
  target: PlanTarget,
  offer: Offer,
  {
    file,
    replace,
    billing = [],
  }: { readonly file: string; readonly replace: boolean; readonly billing?: readonly string[] | undefined },
): void {
  const text = textFor(target, offer, billing);
  try {
    // Whoever made the file meanwhile keeps it.
    writeFileSync(file, text, { flag: replace ? 'w' : 'wx' });
  } catch (cause) {
    if (!replace) refuseExisting(file);
    throw new WeighbridgeError({
      code: 'config_not_written',
      message: `The configuration could not be written to the path of --out: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: 'Name a file in an existing folder, such as weighbridge.yaml.',
      cause,
    });
  }
}

const USUAL = 'weighbridge.yaml';

/** The usual name, or beside a configuration that is there, as in a clone, one with the name of the gateway's host. */
export function freeName(target: string | null, replace: boolean): string {
  if (replace || !existsSync(USUAL)) return USUAL;
  const host = target === null ? 'embedded' : new URL(target).hostname.replaceAll(/[^0-9a-z.-]+/g, '');
  return `weighbridge-${host}.yaml`;
}

export function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw new WeighbridgeError({
    code: 'config_exists',
    message: `The file ${file} already exists. It was not changed.`,
    hint: 'Give --out another name, or give --force to replace the file.',
  });
}

function textFor({ embedded, root }: PlanTarget, offer: Offer, billing: readonly string[]): string {
  const { book } = offer;
  const models = offeredModels(offer);
  // What a target lists may be no id that a configuration can name.
  const nameable = models.filter((id) => modelId.safeParse(id).success);
  return configText({
    root: embedded ? null : root,
    models: models.length,
    book,
    billing,
    cheapest: book === null ? { text: null, image: null, video: null } : cheapestModels(book, nameable),
  });
}

/** What was learnt of a gateway before a configuration is written for it. */
interface LearntTarget {
  /** Null for the embedded gateway. */
  readonly root: string | null;
  readonly models: number;
  /** Null where no adapter reads it in full. */
  readonly book: PriceBook | null;
  /** The block that names a book of the user's; empty where the target's own counts. */
  readonly billing?: readonly string[];
  readonly cheapest: CheapestModels;
}

interface Entry {
  readonly kind: string;
  readonly family: keyof CheapestModels;
  readonly keys: readonly string[];
}

// Together within what a gateway bears without a permission: 2 calls/s and 5 in flight.
const TEXT: readonly Entry[] = [
  {
    kind: 'chat',
    family: 'text',
    keys: ['rate: 0.5/s', 'stream: 0.5 # share of calls that stream', 'max_in_flight: 2'],
  },
  { kind: 'responses', family: 'text', keys: ['rate: 0.2/s', 'stream: 0.5', 'max_in_flight: 1'] },
  { kind: 'messages', family: 'text', keys: ['rate: 0.2/s', 'stream: 0.5', 'max_in_flight: 1'] },
];
const MEDIA: readonly Entry[] = [
  { kind: 'image', family: 'image', keys: ['rate: 3/min', 'max_in_flight: 1'] },
  { kind: 'video', family: 'video', keys: ['rate: 3/min', 'max_calls: 1', 'max_in_flight: 1'] },
];

/** A commented weighbridge.yaml with small rates and the cheapest model of each kind. */
export function configText(target: LearntTarget): string {
  const { root, models, book, billing = [] } = target;
  const where = root === null ? 'the embedded gateway' : root;
  return [
    `# What Weighbridge calls at ${where}, and how often. Written by \`weighbridge init\`, which asked for`,
    `# its ${models} models and its price book${book === null ? ', which could not be read' : ''}. Change it as you like:`,
    '# docs/config.md of Weighbridge describes every key, and `weighbridge plan` prints what the file would call and cost.',
    'version: 1',
    '',
    ...targetLines(root),
    ...billing,
    'duration: 60s # how long calls are started; those in flight then finish',
    'seed: 1 # number that fixes the planned calls: the same seed plans the same calls',
    '',
    '# Most that a run may cost in the worst case: no call is started that could pass it. --max-spend-usd says the same.',
    '# spend: { max_usd: "1" }',
    '',
    'traffic:',
    ...TEXT.flatMap((entry) => entryLines(entry, target)),
    ...(root === null
      ? []
      : ['  # A single image or video can cost more than all the rest: take the "#" away to have one.']),
    ...MEDIA.flatMap((entry) =>
      entryLines(entry, target).map((line) =>
        root === null || line === '' ? line : line.replace(/^ {2}/, '  # '),
      ),
    ),
    '# Bounds that decide exit code 4.',
    '# objectives:',
    '#   - { kind: chat, measure: ttft_ms, percentile: 95, max: 2000 }',
    '',
  ].join('\n');
}

function targetLines(root: string | null): readonly string[] {
  if (root === null)
    return [
      '# No target: the embedded gateway is started and weighed.',
      '# target:',
      '#   url: https://host',
      '',
    ];
  return [
    'target:',
    `  url: ${JSON.stringify(root)} # the key comes from WEIGHBRIDGE_API_KEY or WEIGHBRIDGE_API_KEY_FILE`,
    '  key: shared # exclusive, when nobody else uses the key: then a record without a call is a finding',
    '  # Above 2 calls/s or 5 in flight, whoever runs a gateway that is not on this machine must have agreed:',
    '  # permission: { by: "name", until: "2026-12-31", max_rps: 10, max_in_flight: 50 }',
    '',
  ];
}

function entryLines({ kind, family, keys }: Entry, { book, cheapest }: LearntTarget): readonly string[] {
  const model = cheapest[family];
  const priced = book === null || model === null ? '' : priceText(book, model, family);
  const chosen =
    model === null
      ? `    # model: ID # no ${family} model is both listed and priced: name one, or this kind stays off`
      : `    model: ${JSON.stringify(model)} # the cheapest listed ${family} model, USD: ${priced}`;
  return [`  - kind: ${kind}`, chosen, ...keys.map((key) => `    ${key}`), ''];
}

/** What the book asks for the plain use of a model, such as `input_token 0.05, output_token 0.2 per 1000000`; in USD, as published. */
function priceText(book: PriceBook, model: string, kind: ModelPrice['kind']): string {
  const entry = entriesOf(book, model).find((each) => each.kind === kind && isPlain(each));
  const byAmount = Map.groupBy(entry?.components.filter(isShown) ?? [], ({ per }) => per);
  return [...byAmount]
    .map(
      ([per, components]) =>
        `${components.map(({ meter, price }) => `${meter} ${price}`).join(', ')} per ${per}`,
    )
    .join('; ');
}

function isPlain({ when }: ModelPrice): boolean {
  return Object.keys(when).length === 0;
}

/** Sizes and qualities have prices of their own: the book names them all, a comment the first. */
function isShown(
  { meter }: ModelPrice['components'][number],
  index: number,
  all: ModelPrice['components'],
): boolean {
  const main = ['input_token', 'output_token', 'image', 'video_second'].includes(meter);
  return main && all.findIndex((other) => other.meter === meter) === index;
}
