import type { DueRun } from '../schedule/due-run.ts';
import { freeRun } from './free-run.ts';
import type { RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';

/** The model list, without a credential and with the key where there is one; each must name models. */
export function modelsRun(means: TargetMeans, due: DueRun): Promise<RunOutcome> {
  return freeRun(means, due, async ({ client, take, wrong }) => {
    const credentials =
      means.credentials.read('key') === null ? (['none'] as const) : (['none', 'key'] as const);
    for (const credential of credentials) {
      const withKey = credential === 'key';
      const what = `GET /v1/models ${withKey ? 'with' : 'without'} the key`;
      const answer = await take(what, client.models(withKey));
      await means.seen({
        document: 'models',
        credential,
        answer,
        probe: due.probe,
        at_ms: means.clock.now_ms(),
      });
      if (answer.body.data.length === 0) wrong(`${what}: expected models, found an empty list`);
    }
  });
}
