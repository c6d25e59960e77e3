import exec from 'k6/execution';
import { Client } from 'k6/x/weighbridge';
import type { PaidKind } from '../../src/core/call-kind.ts';
import { planCall } from '../../src/core/call-plan.ts';
import type { Plan } from '../../src/core/plan.ts';
import type { CallIdentity } from './identity.ts';
import { openPlan, optionsOf, scenarioNamed } from './plan.ts';
import { sendImage } from './send-image.ts';
import { sendImageJob } from './send-image-job.ts';
import { sendText } from './send-text.ts';
import { sendVideo } from './send-video.ts';

/** Options and iteration of a script that drives the plan, or its scenarios of one kind. */
export function traffic(kind: PaidKind | null) {
  const plan = openPlan();
  warmUp(plan);
  const client = new Client({ root: plan.target.root, timeouts: plan.workload.timeouts });
  return { options: optionsOf(plan, kind), run: () => runIteration(plan, client) };
}

/** Plans a call for nothing, so that the first real one of this virtual user does not start late. */
function warmUp(plan: Plan): void {
  const [scenario] = plan.workload.scenarios;
  if (scenario !== undefined) planCall(plan.workload.seed, scenario, 0);
}

/** One iteration is one planned call: which one, says the index of its slot. */
function runIteration(plan: Plan, client: Client): Promise<unknown> {
  const scenario = scenarioNamed(plan, exec.scenario.name);
  const n = exec.scenario.iterationInTest;
  const call = planCall(plan.workload.seed, scenario, n);
  const identity: CallIdentity = {
    nonce: plan.nonce,
    instance: __ENV['WEIGHBRIDGE_INSTANCE'] ?? 'i0',
    scenario: scenario.name,
    n,
  };
  switch (call.kind) {
    case 'chat':
    case 'responses':
    case 'messages':
      return sendText(client, identity, call);
    case 'image':
    case 'image_edit':
      return sendImage(client, identity, call, 1);
    case 'image_job':
    case 'image_edit_job':
      return sendImageJob(client, identity, call);
    case 'video':
      return sendVideo(client, identity, call);
  }
}
