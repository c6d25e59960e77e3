import type { FindingParts } from './make-finding.ts';

/** What a finding says: who did what and by how much it is wrong; and what to do about it. */
export type Words = Pick<FindingParts, 'explanation' | 'next_step'>;

export const WORDING = {
  retry_double_charge: ({ attempt, how, own }: { attempt: number; how: string; own: string }): Words => ({
    explanation:
      `Attempt ${attempt} of the call ${how} and is charged ${own}; ` +
      'a later attempt was answered and is charged too.',
    next_step: 'Ask whether attempts that give no answer are billed; lower retry.max_attempts until then.',
  }),
  charged_empty_output: ({ charge, said }: { charge: string; said: boolean }): Words => ({
    explanation: `The answer was complete and empty, and ${charge} is charged for it.`,
    next_step: said
      ? 'Ask the operator why it is charged: by the declared terms an empty answer is free.'
      : "Ask whether the gateway's terms bill output only; if they do not, set billing.policy.empty_output to charged.",
  }),
  charged_on_server_error: ({ status, charge }: { status: number; charge: string }): Words => ({
    explanation: `The call failed with status ${status}, and ${charge} is charged for it, though by the declared terms such a call is free.`,
    next_step: 'Ask the operator why it is charged, with the request id.',
  }),
  aborted_but_free: ({ outcome, charge }: { outcome: string; charge: string }): Words => ({
    explanation: `The call ended as ${outcome}, and ${charge} is charged for it, though by the declared terms a cut call is free.`,
    next_step: 'Ask the operator why it is charged, with the request id.',
  }),
  estimated_usage_not_flagged: ({ tokens, flagged }: { tokens: string; flagged: number }): Words => ({
    explanation:
      `No final usage was sent, the record counts ${tokens} tokens and does not say that it estimates; ` +
      `${flagged} other records of such calls say so.`,
    next_step: 'Ask for the usage of the upstream.',
  }),
  settle_above_reserve: ({
    charge,
    reserved,
    due,
  }: {
    charge: string;
    reserved: string;
    due: string;
  }): Words => ({
    explanation: `${charge} was settled against a reserve of ${reserved}; ${due} is due.`,
    next_step: 'Ask the operator what exceeds the due charge, with the request id.',
  }),
  reasoning_double_count: ({ output, reasoning, recorded, added }: ReasoningCounts): Words => ({
    explanation:
      `The answer told ${output} output tokens with ${reasoning} of reasoning among them; the record counts ${recorded}, ` +
      `${added ? 'the reasoning once more' : 'as if there were none'}.`,
    next_step: 'Ask the operator where the difference comes from, with the usage object of the answer.',
  }),
  unknown_record: ({ id, status, reserved, late }: UnknownRecord): Words => ({
    explanation:
      `Record ${id} has billing status ${JSON.stringify(status)} and charges nothing, with ${reserved} reserved; ` +
      `${late ? 'its time to settle has passed' : 'it may settle yet'}.`,
    next_step: late
      ? 'Ask the operator what became of the call and of its reserve.'
      : 'Read again once its time to settle has passed.',
  }),
} as const;

interface ReasoningCounts {
  readonly output: bigint;
  readonly reasoning: bigint;
  readonly recorded: bigint;
  readonly added: boolean;
}

interface UnknownRecord {
  readonly id: string;
  readonly status: string;
  readonly reserved: string;
  readonly late: boolean;
}
