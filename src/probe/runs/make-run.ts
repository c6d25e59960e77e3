import type { DueRun } from '../schedule/due-run.ts';
import { accountRun, modelsRun, pricebookRun, usageRequestsRun, usageRun } from './document-runs.ts';
import { negativeRun } from './negative-run.ts';
import { imageRun, textRun } from './paid-run.ts';
import type { RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';
import { taskRun } from './task-run.ts';

/** Makes a run of whatever api. */
export function makeRun(means: TargetMeans, due: DueRun): Promise<RunOutcome> {
  const { api, negative } = due.probe;
  switch (api) {
    case 'chat':
    case 'responses':
    case 'messages':
      return textRun(means, due, api);
    case 'image':
    case 'image_edit':
      return imageRun(means, due, api);
    case 'image_job':
    case 'image_edit_job':
    case 'video':
      return taskRun(means, due, api);
    case 'models':
      return modelsRun(means, due);
    case 'pricebook':
      return pricebookRun(means, due);
    case 'usage':
      return usageRun(means, due);
    case 'usage_requests':
      return usageRequestsRun(means, due);
    case 'account':
      return accountRun(means, due);
    case 'negative':
      if (negative === null) throw new RangeError(`expected what probe ${due.probe.name} must be refused`);
      return negativeRun(means, due, negative);
  }
}
