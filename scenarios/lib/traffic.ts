import {
  Client,
  doneStart,
  makeStart,
  makeStarts,
  nextStart,
  type PlannedCall,
  plannedCall,
} from 'k6/x/weighbridge';
import type { Plan } from '../../src/contracts/plan.ts';
import type { PaidKind } from '../../src/core/call-kind.ts';
import { openPlan, optionsOf } from './plan.ts';
import { sendImage } from './send-image.ts';
import { sendImageJob } from './send-image-job.ts';
import { sendText, type TextManner } from './send-text.ts';
import { sendVideo } from './send-video.ts';

/** Options and functions of a script that drives the plan, or its scenarios of one kind. */
export function traffic(kind: PaidKind | null, manner: TextManner = { streamAll: false }) {
  // k6 takes the options of the first evaluation alone: no virtual user needs the plan in JavaScript. Where a virtual user
  // has options, k6 writes all that it knows of them into the object.
  const options =
    __VU === 0 ? optionsOf(manner.streamAll ? textOf(openPlan()) : openPlan(), kind) : undefined;
  const client = new Client();
  return {
    options,
    /** One iteration is one start. */
    run: () => makeStart(manner.streamAll) || send(client, plannedCall(), manner),
    /** One iteration takes start after start and waits for none of them. */
    pool: () => runPool(client, manner),
  };
}

/** The scenarios of the plan that can stream. */
function textOf(plan: Plan): Plan {
  const scenarios = plan.workload.scenarios.filter(({ text }) => text !== null);
  if (scenarios.length === 0) throw new Error('the plan has no scenario of a kind that streams');
  return { ...plan, workload: { ...plan.workload, scenarios } };
}

async function runPool(client: Client, manner: TextManner): Promise<void> {
  if (await makeStarts(manner.streamAll)) return;
  for (let n = await nextStart(); n !== null; n = await nextStart()) runStart(client, n, manner);
}

/** A start that fails is misuse, not what the target did: it must not end the starts beside it. */
async function runStart(client: Client, n: number, manner: TextManner): Promise<void> {
  try {
    await send(client, plannedCall(null, n), manner);
  } catch (error) {
    console.error(`start ${n}: ${String(error)}`);
  } finally {
    doneStart(n);
  }
}

/** All calls of a start. */
function send(client: Client, call: PlannedCall, manner: TextManner): Promise<unknown> {
  switch (call.kind) {
    case 'chat':
    case 'responses':
    case 'messages':
    case 'completion':
      return sendText(client, call, manner);
    case 'embedding':
      return sendText(client, call, { streamAll: false });
    case 'image':
    case 'image_edit':
      return sendImage(client, call, 1);
    case 'image_job':
    case 'image_edit_job':
      return sendImageJob(client, call);
    case 'video':
      return sendVideo(client, call);
  }
}
