/**
 * The passes of matching, in their order: by the id of the answer, another id that it told, the id of its task, a read
 * by id, its token watermark, a fingerprint unique on both sides, the least-cost assignment; a cluster is compared by
 * its sum only, an open intent has no answer. Of records without a call: those of other commands of ours, those of which
 * an incomplete ledger cannot tell, those of others.
 */
export const MATCH_PASSES = [
  'request_id',
  'other_id',
  'linked_id',
  'watermark',
  'fingerprint',
  'assignment',
  'cluster',
  'open_intent',
  'none',
  'known',
  'unattributed',
  'foreign',
] as const;

export type MatchPass = (typeof MATCH_PASSES)[number];

/** True for records that are judged by no call of the ledger, and are no finding. */
export function isNotOurs(pass: MatchPass): pass is 'known' | 'unattributed' | 'foreign' {
  return pass === 'known' || pass === 'unattributed' || pass === 'foreign';
}
