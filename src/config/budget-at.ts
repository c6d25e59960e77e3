import { targetFolderName } from '../contracts/target-folder-name.ts';
import type { Budget } from './budget-schema.ts';
import type { ConfigFile } from './config-schema.ts';

/** The one budget of the gateway at this address: that of its probes, else of the target, else of all probes. */
export function budgetAt({ target, probe }: ConfigFile, root: string): Budget | undefined {
  const isSame = (url: { readonly root: string }): boolean =>
    targetFolderName(url.root) === targetFolderName(root);
  const probed = probe?.targets?.find(({ url }) => isSame(url));
  const ofTarget = target?.url === undefined || isSame(target.url) ? target?.budget : undefined;
  return probed?.budget ?? ofTarget ?? probe?.budget;
}
