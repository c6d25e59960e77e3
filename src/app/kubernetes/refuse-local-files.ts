import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

/** Throws `file_of_this_machine` (exit 2) where a configuration names a file that no pod has. A trace goes with the plan. */
export function refuseLocalFiles({ traffic, billing, target }: ResolvedConfig): void {
  const files = [
    ...traffic.flatMap(({ name, text }) =>
      text?.prompts ? [`traffic ${name}: prompts.file ${text.prompts.file}`] : [],
    ),
    ...(billing.book.file === null ? [] : [`billing.book.file ${billing.book.file}`]),
    ...(billing.book.mapping === null ? [] : [`billing.book.mapping ${billing.book.mapping}`]),
    ...(target.tokenizer?.startsWith('/') ? [`target.tokenizer ${target.tokenizer}`] : []),
  ];
  if (files.length === 0) return;
  throw new WeighbridgeError({
    code: 'file_of_this_machine',
    message: `expected a configuration that pods can read, found files of this machine: ${files.join(', ')}`,
    hint: 'leave them out, or build them into the image and drive the plan with k6 by hand (docs/load.md)',
  });
}
