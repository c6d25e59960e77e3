import { existsSync, writeFileSync } from 'node:fs';
import { modelId } from '../../config/model-id.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { PlanTarget } from '../../contracts/plan.ts';
import { cheapestModels } from '../../pricebook/charge/cheapest-models.ts';
import type { Offer } from '../target/offer.ts';
import { configText } from './config-text.ts';

/**
 * Writes a configuration for a target by what it offers. Throws `config_exists` where a file that is not to be replaced
 * stands there, and `config_not_written` (exit 2).
 */
export function writeConfig(
  target: PlanTarget,
  offer: Offer,
  { file, replace }: { readonly file: string; readonly replace: boolean },
): void {
  const text = textFor(target, offer);
  try {
    // Whoever made the file meanwhile keeps it.
    writeFileSync(file, text, { flag: replace ? 'w' : 'wx' });
  } catch (cause) {
    if (!replace) refuseExisting(file);
    throw new WeighbridgeError({
      code: 'config_not_written',
      message: `--out: expected a file that can be written, found ${cause instanceof Error ? cause.message : String(cause)}`,
      hint: 'name a file in a folder that is there, such as weighbridge.yaml',
      cause,
    });
  }
}

export function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw new WeighbridgeError({
    code: 'config_exists',
    message: `expected no file at ${file}, found one; it stays as it is`,
    hint: 'give --out another name, or --force to replace it',
  });
}

function textFor({ embedded, root }: PlanTarget, { book, models }: Offer): string {
  // What a target lists may be no id that a configuration can name.
  const nameable = models.filter((id) => modelId.safeParse(id).success);
  return configText({
    root: embedded ? null : root,
    models: models.length,
    book,
    cheapest: book === null ? { text: null, image: null, video: null } : cheapestModels(book, nameable),
  });
}
