import { openDispatcher } from '../../client/open-dispatcher.ts';
import { isFinalStatus } from '../../client/paid/task-life.ts';
import { type RefusableAnswer, sendRefusable } from '../../client/refusable-request.ts';
import { type ErrorType, errorTypeOfAnswer } from '../../contracts/outcome.ts';
import type { NegativeRule } from '../../contracts/probe-plan.ts';
import type { DueRun } from '../schedule/due-run.ts';
import type { UnfinishedTask } from '../tasks/task-line.ts';
import { endedRun, startNow } from './report-run.ts';
import { calledTask } from './resume-task.ts';
import { INTERRUPTED, type RefusalRule, type RunOutcome } from './run-outcome.ts';
import type { TargetCredentials } from './target-credentials.ts';
import type { TargetMeans } from './target-means.ts';

/** A request that must be refused. Nothing to ask it with now: the run is left out as paused. */
export async function negativeRun(means: TargetMeans, due: DueRun, rule: NegativeRule): Promise<RunOutcome> {
  const target = means.target();
  const open = openTask(means);
  const asked = mustRefuse(rule, { bases: target.bases, credentials: means.credentials, open });
  if (asked === null) return { kind: 'skipped', reason: 'paused' };
  const start = startNow(means);
  const dispatcher = openDispatcher(target.bases.root, means.env, means.connection);
  let answer: RefusableAnswer;
  try {
    answer = await sendRefusable({
      url: asked.url,
      headers: { 'user-agent': means.user_agent, ...asked.headers },
      body: asked.body,
      dispatcher,
      timeoutMs: due.probe.timeout_ms,
      signal: due.signal,
      credentials: means.credentials.secrets(),
    });
  } finally {
    await dispatcher.destroy();
  }
  if (due.signal.aborted) return INTERRUPTED;
  const refused = judgeRefusal(asked, answer);
  // In which way a call is refused is the interface's word; other families have their own.
  const first = refused.error_type === 'wrong_refusal' && (await isOtherFamily(means, due)) ? WELL : refused;
  const isJudged = first.error_type === 'unexpected_accept' || first.error_type === 'wrong_refusal';
  const doubted = open !== null && rule === EARLY && isJudged;
  const { refusal, ...judged } = doubted && !(await isUnderWay(means, due, open)) ? WELL : first;
  const said = {
    ...judged,
    request_id: answer.request_id,
    statuses: answer.status === null ? [] : [answer.status],
    retry_after_ms: answer.retry_after_s === null ? null : answer.retry_after_s * 1000,
  };
  const isEarly = refusal === 'status' && rule === EARLY;
  return endedRun(means, due, start, said, { refusal: isEarly ? 'early_result' : refusal });
}

async function isOtherFamily(means: TargetMeans, due: DueRun): Promise<boolean> {
  const client = means.reads(due.probe.timeout_ms, due.signal);
  try {
    return (await client.settleDialect()) !== 'interface';
  } finally {
    await client.close();
  }
}

const EARLY: NegativeRule = 'result_before_completion';
const WELL = { error_type: 'none', why: null, refusal: null } as const;

export interface RefusalVerdict {
  readonly error_type: ErrorType;
  readonly why: string | null;
  /** Which part of it was wrong. Served or not answered is no refusal. */
  readonly refusal: RefusalRule | null;
}

/** Refused, and in the way that the interface says. A target that cannot be asked, or is too busy, has proved nothing. */
export function judgeRefusal(
  { what, statuses, code, body_of }: MustRefuse,
  answer: RefusableAnswer,
): RefusalVerdict {
  const expected = `expected ${what} to be refused with ${statuses.join(' or ')}${code === null ? '' : ` ${code}`}`;
  const { status } = answer;
  if (status === null)
    return {
      error_type: answer.network,
      why: `${expected}, found no answer: ${answer.message}`,
      refusal: null,
    };
  if (status < 300)
    return { error_type: 'unexpected_accept', why: `${expected}, found HTTP ${status}`, refusal: null };
  if (status === 429 || status >= 500)
    return {
      error_type: errorTypeOfAnswer(status, answer.code),
      why: `${expected}, found HTTP ${status} ${answer.message}`,
      refusal: null,
    };
  const named = `HTTP ${status}${answer.code === '' ? '' : ` ${answer.code}`}`;
  const wrong = { error_type: 'wrong_refusal', why: `${expected}, found ${named}` } as const;
  if (!statuses.includes(status)) return { ...wrong, refusal: 'status' };
  if (code !== null && answer.code !== code) return { ...wrong, refusal: 'code' };
  const shaped = body_of === 'model' ? answer.shaped : answer.account_shaped;
  return shaped
    ? WELL
    : { ...wrong, why: `${wrong.why} without the error body of the interface`, refusal: 'body' };
}

/** Of those, the one that was made last: it is the furthest from complete. */
function openTask({ tasks }: TargetMeans) {
  return tasks?.open().toSorted((left, right) => right.accepted_ms - left.accepted_ms)[0] ?? null;
}

/** A task that became complete meanwhile was rightly served: only one that is still under way proves anything. */
async function isUnderWay(
  means: TargetMeans,
  { probe, signal }: DueRun,
  task: UnfinishedTask,
): Promise<boolean> {
  const called = calledTask(means, probe, task);
  const { status } = await means.ledger.today().client.pollTask(called, signal);
  return status !== null && !isFinalStatus(status);
}

/** What a target must refuse, and how (interface §7). */
export interface MustRefuse {
  readonly what: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly statuses: readonly number[];
  /** Null where the interface names none. */
  readonly code: string | null;
  /** Whose error body it has. */
  readonly body_of: 'model' | 'account';
}

/** No gateway has it; a name of ours, so that whoever reads its log knows where it comes from. */
const UNKNOWN_MODEL = 'weighbridge-no-such-model';

interface Asked {
  readonly bases: { readonly root: string; readonly v1: string; readonly api: string };
  readonly credentials: TargetCredentials;
  /** A task of this target that is not complete. */
  readonly open: { readonly api: string; readonly task_id: string } | null;
}

/** Null where the request cannot be made now: its credential cannot be read, or no task is open. */
function mustRefuse(rule: NegativeRule, { bases, credentials, open }: Asked): MustRefuse | null {
  const [key, token, user] = [
    credentials.read('key'),
    credentials.read('access_token'),
    credentials.read('user_id'),
  ];
  const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
  const model = { body: null, code: null, body_of: 'model' } as const;
  const account = { url: `${bases.api}/user/self`, body: null, code: null, body_of: 'account' } as const;
  const usage = `${bases.v1}/usage?start_time=0&end_time=1`;
  switch (rule) {
    case 'no_key':
      return { ...model, what: 'a usage read without a key', url: usage, headers: {}, statuses: [401] };
    case 'wrong_key_kind':
      if (token !== null)
        return {
          ...model,
          what: 'a usage read with the system access token',
          url: usage,
          headers: bearer(token),
          statuses: [401, 403],
        };
      if (key === null) return null;
      return {
        ...account,
        what: 'an account read with an API key',
        headers: { ...bearer(key), 'new-api-user': user ?? '1' },
        statuses: [401, 403],
      };
    case 'unknown_model':
      if (key === null) return null;
      return {
        what: 'a call of a model that there is not',
        url: `${bases.v1}/chat/completions`,
        headers: bearer(key),
        body: JSON.stringify({
          model: UNKNOWN_MODEL,
          max_tokens: 1,
          messages: [{ role: 'user', content: 'probe' }],
        }),
        statuses: [404],
        code: 'model_not_found',
        body_of: 'model',
      };
    case 'missing_user_header':
      if (token === null) return null;
      return {
        ...account,
        what: 'an account read without New-Api-User',
        headers: bearer(token),
        statuses: [400, 401, 403],
      };
    case 'result_before_completion': {
      if (key === null || open === null) return null;
      const id = encodeURIComponent(open.task_id);
      const path = open.api === 'video' ? `videos/${id}/content` : `images/jobs/${id}/result`;
      return {
        ...model,
        what: 'the result of a task that is not complete',
        url: `${bases.v1}/${path}`,
        headers: bearer(key),
        // Said of image jobs: 409. Of videos the interface says nothing but that the content comes after completion.
        statuses: open.api === 'video' ? [400, 404, 409, 425] : [409],
      };
    }
  }
}
