import { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { FAULT_CLASSES } from '../../contracts/fault-class.ts';
import { parseAmount } from '../../core/amount.ts';
import type { Tolerances } from '../../reconcile/input/reconcile-input.ts';
import { type FolderFile, folderFile } from './folder-file.ts';

/** What the flags of one verdict ask for in place of the configured tolerances. */
export type AskedTolerances = { readonly [Name in keyof Tolerances]?: Tolerances[Name] | undefined };

export interface GateFlags {
  readonly gate?: string | undefined;
  readonly minChecked?: string | undefined;
}

const GATE_FILE: FolderFile<AskedTolerances> = folderFile({
  name: 'gate.json',
  code: 'gate_unreadable',
  version: 'weighbridge.gate/1',
  content: z.strictObject({
    gate: z.enum(['S1', 'S2', 'S3', 'S4']).optional(),
    gate_usd: z.string().optional(),
    gate_classes: z.array(z.enum(FAULT_CLASSES)).optional(),
    min_checked: z.number().min(0).max(1).optional(),
  }),
  hint: 'judge the folder again with `weighbridge reconcile`, which writes the file anew',
});

const SEVERITY = z.enum(['S1', 'S2', 'S3', 'S4']);
const CLASSES = z.array(z.enum(FAULT_CLASSES));

/** `--gate S3:0.01:class,class` and `--min-checked 0.9`. Throws `gate_invalid` and `min_checked_invalid` (exit 2). */
export function askedTolerances({ gate, minChecked }: GateFlags): AskedTolerances {
  return {
    ...(gate === undefined ? {} : gateOf(gate)),
    ...(minChecked === undefined ? {} : { min_checked: shareOf(minChecked) }),
  };
}

function gateOf(text: string): AskedTolerances {
  const [first, usd = '0', classes, ...more] = text.split(':');
  const severity = SEVERITY.safeParse(first);
  const named = CLASSES.safeParse(classes === undefined ? [] : classes.split(','));
  const amount = /^\d+(\.\d+)?$/.test(usd) ? parseAmount(usd) : null;
  if (!severity.success) throw gateInvalid('S1, S2, S3 or S4 before the first colon', text);
  if (amount === null) throw gateInvalid('USD as a plain decimal behind the severity', text);
  if (!named.success) throw gateInvalid('classes of docs/findings.md, with commas between them', text);
  if (more.length > 0) throw gateInvalid('at most severity, USD and classes', text);
  return { gate: severity.data, gate_usd: usd, gate_classes: named.data };
}

function gateInvalid(expected: string, found: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'gate_invalid',
    message: `--gate must be ${expected}, but it is ${JSON.stringify(found)}.`,
    hint: 'Give for example --gate S2, --gate S3:0.01 or --gate S3:0:duplicate_charge,phantom_record.',
  });
}

function shareOf(text: string): number {
  const share = /^(0|1|0?\.\d{1,6}|1\.0{1,6})$/.test(text) ? Number(text) : Number.NaN;
  if (share >= 0 && share <= 1) return share;
  throw new WeighbridgeError({
    code: 'min_checked_invalid',
    message: `--min-checked must be a number from 0 to 1, but it is ${JSON.stringify(text)}.`,
    hint: 'Give for example --min-checked 0.9. Then 90 % of the charged money must be checked.',
  });
}

/** Keeps them in the folder, so that its report is rendered again by them; without any, those of the configuration hold. */
export function keepAsked(runDir: string, asked: AskedTolerances): void {
  if (Object.keys(asked).length === 0) GATE_FILE.remove(runDir);
  else GATE_FILE.write(runDir, asked);
}

/** The tolerances that the last verdict on a folder asked for, over those that it is stored with. */
export function withAsked(runDir: string, stored: Tolerances): Tolerances {
  const asked = GATE_FILE.read(runDir) ?? {};
  return {
    gate: asked.gate ?? stored.gate,
    min_checked: asked.min_checked ?? stored.min_checked,
    gate_usd: asked.gate_usd ?? stored.gate_usd,
    gate_classes: asked.gate_classes ?? stored.gate_classes,
    accept: stored.accept,
  };
}
