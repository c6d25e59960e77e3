import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

/**
 * Throws `file_of_this_machine` (exit 2) where a configuration names a file that no pod has. Prompts and trace go with a plan
 * that is made here; a pod that plans has none.
 */
export function refuseLocalFiles(
  { traffic, trace, billing, target }: ResolvedConfig,
  { podsPlan }: { readonly podsPlan: boolean },
): void {
  const asked = podsPlan ? traffic : [];
  const files = [
    ...(!podsPlan || trace === null ? [] : [`trace.file ${trace.file}`]),
    ...asked.flatMap(({ name, text }) =>
      text?.prompts ? [`traffic ${name}: prompts.file ${text.prompts.file}`] : [],
    ),
    ...(billing.book.file === null ? [] : [`billing.book.file ${billing.book.file}`]),
    ...(billing.book.mapping === null ? [] : [`billing.book.mapping ${billing.book.mapping}`]),
    ...(target.tokenizer?.startsWith('/') ? [`target.tokenizer ${target.tokenizer}`] : []),
  ];
  if (files.length === 0) return;
  throw new WeighbridgeError({
    code: 'file_of_this_machine',
    message: `The configuration names files of this machine, which pods cannot read: ${files.join(', ')}.`,
    hint: 'Leave these keys out. Or build the files into the image and run the plan with k6 by hand (docs/load.md).',
  });
}
