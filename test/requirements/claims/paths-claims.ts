import type { Requirement } from './requirement.ts';

/** What the interface says of versions and paths. */
export const PATHS_CLAIMS = [
  {
    id: 'version.header_optional',
    source: 'interface §5 headers; §9 item 2',
    says: 'A messages call works without the version header.',
  },
  {
    id: 'version.header_date',
    source: 'interface §5 headers; §9 item 2',
    says: 'A messages call takes a version header in date form.',
  },
  {
    id: 'version.description_date',
    source: 'interface §9 item 1',
    says: 'The machine-readable description has a version in date form.',
  },
  {
    id: 'paths.messages_root',
    source: 'interface §1 base addresses',
    says: 'The messages path stands at the host root, not below a second /v1.',
  },
  { id: 'paths.model_calls_v1', source: 'interface §9 item 3', says: 'Model calls stand below /v1.' },
  { id: 'paths.account_calls_api', source: 'interface §9 item 3', says: 'Account calls stand below /api.' },
  { id: 'paths.pricing_unprefixed', source: 'interface §9 item 3', says: 'The pricing view has no prefix.' },
] as const satisfies readonly Requirement[];
