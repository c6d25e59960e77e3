import type { PaidKind } from '../core/call-kind.ts';

const PAID: readonly (readonly [RegExp, PaidKind])[] = [
  [/\/chat\/completions$/, 'chat'],
  [/\/responses$/, 'responses'],
  [/\/messages$/, 'messages'],
  [/\/images\/generations$/, 'image'],
  [/\/images\/edits$/, 'image_edit'],
  [/\/images\/generations\/jobs$/, 'image_job'],
  [/\/images\/edits\/jobs$/, 'image_edit_job'],
  [/\/videos(?:\/generations)?$/, 'video'],
];

const TASK = /\/(?:images\/jobs|videos)\/([^/]+)$/;

/** What a request is by its method and path (interface §4), under whatever base it is sent. */
export type PaidRoute =
  | { readonly what: 'paid'; readonly kind: PaidKind }
  | { readonly what: 'task'; readonly id: string }
  /** A POST of another kind: it may cost money, and no ledger has a kind for it. */
  | { readonly what: 'other_post' }
  | { readonly what: 'other' };

export function routeOf(method: string, path: string): PaidRoute {
  if (method === 'GET') {
    const id = TASK.exec(path)?.[1];
    return id === undefined ? { what: 'other' } : { what: 'task', id: decoded(id) };
  }
  if (method !== 'POST') return { what: 'other' };
  const kind = PAID.find(([pattern]) => pattern.test(path))?.[1];
  return kind === undefined ? { what: 'other_post' } : { what: 'paid', kind };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
