import type { AnswerRule } from '../../client/paid/paid-result.ts';
import type { ProbeLabels } from '../../contracts/metrics/probe-metrics.ts';
import type { Probe, ProbeApi } from '../../contracts/probe-plan.ts';
import type { RefusalRule, RunFacts } from '../runs/run-outcome.ts';
import type { ProbeRun } from '../view/probe-run.ts';

export type ContractRule = ProbeLabels<'weighbridge_contract_violations_total'>['rule'];

const RULE_OF_ANSWER: Readonly<Record<AnswerRule, ContractRule>> = {
  empty_content: 'response_shape',
  content_type: 'content_type',
  error_body_shape: 'error_shape',
  error_without_request_id: 'error_request_id',
  image_form: 'response_shape',
  image_count: 'response_shape',
  unknown_status: 'task_shape',
  error_without_failed: 'task_shape',
};

const RULE_OF_REFUSAL: Readonly<Record<RefusalRule, ContractRule>> = {
  status: 'refusal_status',
  code: 'refusal_code',
  body: 'error_shape',
  early_result: 'early_result_status',
};

/** Of a read that was answered and is not the document of the interface. */
const RULE_OF_DOCUMENT: Readonly<Partial<Record<ProbeApi, ContractRule>>> = {
  models: 'list_shape',
  pricebook: 'book_shape',
  usage: 'totals_shape',
  usage_requests: 'records_shape',
  account: 'account_shape',
};

/** Every rule that a run can break. */
export const TOLD_RULES: ReadonlySet<ContractRule> = new Set(
  [RULE_OF_ANSWER, RULE_OF_REFUSAL, RULE_OF_DOCUMENT].flatMap((rules) => Object.values(rules)),
);

/** Rules of the interface that a run saw broken, each once. */
export function contractRules(
  { api }: Pick<Probe, 'api'>,
  { error_type }: Pick<ProbeRun, 'error_type'>,
  { broken_rules, refusal }: Pick<RunFacts, 'broken_rules' | 'refusal'>,
): ReadonlySet<ContractRule> {
  const broken = new Set(broken_rules.map((rule) => RULE_OF_ANSWER[rule]));
  if (refusal !== null) broken.add(RULE_OF_REFUSAL[refusal]);
  const document = RULE_OF_DOCUMENT[api];
  if (document !== undefined && error_type === 'schema_mismatch') broken.add(document);
  return broken;
}
