import type { PaidKind } from '../../core/call-kind.ts';

/** Paths of interface §4 on which a call may be charged. */
export const PAID_ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/messages',
  '/v1/images/generations',
  '/v1/images/generations/jobs',
  '/v1/images/edits',
  '/v1/images/edits/jobs',
  '/v1/videos',
  '/v1/videos/generations',
] as const;
export type PaidEndpoint = (typeof PAID_ENDPOINTS)[number];

/** Paths beside the interface that are charged as text: decision 0028. Faults and the requirements leave them out. */
const FURTHER_ENDPOINTS = ['/v1/completions', '/v1/embeddings'] as const;
export const CHARGED_ENDPOINTS = [...PAID_ENDPOINTS, ...FURTHER_ENDPOINTS] as const;
export type ChargedEndpoint = (typeof CHARGED_ENDPOINTS)[number];
export type ChargedKind = PaidKind | 'completion' | 'embedding';

/** Paths of interface §4 that are read for nothing. */
const FREE_ENDPOINTS = [
  '/v1/models',
  '/pricing.usd.json',
  '/v1/images/jobs/{job_id}',
  '/v1/images/jobs/{job_id}/result',
  '/v1/videos/{task_id}',
  '/v1/videos/{task_id}/content',
  '/v1/usage',
  '/v1/usage/requests',
  '/api/user/self',
] as const;

/** All paths of interface §4; no path has two methods. */
export const ENDPOINTS = [...PAID_ENDPOINTS, ...FREE_ENDPOINTS] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** The kind of each path that is charged. */
export const KIND_OF = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'responses',
  '/v1/messages': 'messages',
  '/v1/images/generations': 'image',
  '/v1/images/generations/jobs': 'image_job',
  '/v1/images/edits': 'image_edit',
  '/v1/images/edits/jobs': 'image_edit_job',
  '/v1/videos': 'video',
  '/v1/videos/generations': 'video',
  '/v1/completions': 'completion',
  '/v1/embeddings': 'embedding',
} as const satisfies Record<ChargedEndpoint, ChargedKind>;
