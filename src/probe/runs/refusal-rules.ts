import type { NegativeRule } from '../../contracts/probe-plan.ts';
import type { TargetCredentials } from './target-credentials.ts';

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
export function mustRefuse(rule: NegativeRule, { bases, credentials, open }: Asked): MustRefuse | null {
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
