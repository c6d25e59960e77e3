import { basename, join } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { UPSTREAM_SCHEMA, type UpstreamHeader } from '../../contracts/upstream-call.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { UPSTREAM_FILE } from '../../reconcile/input/load-reconcile-input.ts';
import { plural } from '../../text/plural.ts';
import { readUpstreamFile } from './upstream-file.ts';

/** What the flags say of the calls behind the target. */
export interface UpstreamFlags {
  readonly upstream?: string;
  readonly upstreamMapping?: string;
  readonly upstreamPricebook?: string;
  readonly upstreamModel?: readonly string[];
  readonly upstreamWhole?: boolean;
}

/**
 * Writes what a gateway bought from its provider into the run folder, which then needs the file no more. Does nothing
 * without `--upstream`. Throws `upstream_missing` and `upstream_model_invalid`, and as `readUpstreamFile` (exit 2); then
 * nothing is written.
 */
export async function keepUpstream(
  runDir: string,
  flags: UpstreamFlags,
  say: (line: string) => void,
): Promise<void> {
  const { upstream: file, upstreamMapping: mapping, upstreamPricebook: pricebook } = flags;
  const models = (flags.upstreamModel ?? []).map(modelOf);
  if (file === undefined) {
    const given = [mapping, pricebook, flags.upstreamModel, flags.upstreamWhole].some(
      (each) => each !== undefined,
    );
    if (given)
      throw new WeighbridgeError({
        code: 'upstream_missing',
        message: 'The flags --upstream-… need --upstream.',
        hint: 'Give the file of what the gateway bought with --upstream FILE.',
      });
    return;
  }
  const { kind, mapping: name, calls, notes } = await readUpstreamFile(file, { mapping, pricebook });
  const header: UpstreamHeader = {
    schema: UPSTREAM_SCHEMA,
    type: 'header',
    kind,
    // A path says nothing to a reader of the report.
    mapping: name === null ? null : basename(name),
    whole: flags.upstreamWhole === true,
    models,
  };
  replaceFile(
    join(runDir, UPSTREAM_FILE),
    [header, ...calls].map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  const form = name === null ? kind : `${kind} of ${name}`;
  say(`upstream: ${plural(calls.length, 'line')} read (${form})`);
  for (const note of notes) say(`  ${note}`);
}

function modelOf(text: string): UpstreamHeader['models'][number] {
  const [sold = '', bought = '', ...more] = text.split('=');
  if (sold !== '' && bought !== '' && more.length === 0) return { sold, bought };
  throw new WeighbridgeError({
    code: 'upstream_model_invalid',
    message: `--upstream-model must be SOLD=BOUGHT, such as fast=gpt-5-mini, but it is ${JSON.stringify(text)}.`,
    hint: 'Give the model that the customer asks for, an equals sign, and the model that the gateway buys.',
  });
}
