/** Calls that may be charged; one usage record each at most. */
export const PAID_KINDS = [
  'chat',
  'responses',
  'messages',
  'completion',
  'embedding',
  'image',
  'image_edit',
  'image_job',
  'image_edit_job',
  'video',
] as const;
export type PaidKind = (typeof PAID_KINDS)[number];

/** Where each is sent (interface §2 and §3). */
export const PATH_OF: Readonly<Record<PaidKind, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  completion: '/v1/completions',
  embedding: '/v1/embeddings',
  image: '/v1/images/generations',
  image_edit: '/v1/images/edits',
  image_job: '/v1/images/generations/jobs',
  image_edit_job: '/v1/images/edits/jobs',
  video: '/v1/videos',
};

/** Calls that are never charged. */
export const FREE_KINDS = ['poll', 'result', 'download', 'read'] as const;
export type FreeKind = (typeof FREE_KINDS)[number];

export type CallKind = PaidKind | FreeKind;

/** The formats of conversations. */
export const TEXT_KINDS = ['chat', 'responses', 'messages'] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

/** Kinds that are priced by tokens: prompts go in, and where anything comes out it is tokens. */
export const TOKEN_KINDS = [...TEXT_KINDS, 'completion', 'embedding'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

export function isPaidKind(kind: string): kind is PaidKind {
  return (PAID_KINDS as readonly string[]).includes(kind);
}

export function isTextKind(kind: string): kind is TextKind {
  return (TEXT_KINDS as readonly string[]).includes(kind);
}

export function isTokenKind(kind: string): kind is TokenKind {
  return (TOKEN_KINDS as readonly string[]).includes(kind);
}
