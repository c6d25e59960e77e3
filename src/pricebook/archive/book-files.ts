/** Names under books/ of a run folder; a book as served is `<sha256>.json`. */

/** A copy of the mapping that the books of the run are read by. */
export const MAPPING_FILE = 'mapping.yaml';
/** Before the hash of a book that stands in place of the target's: `own-<sha256>.yaml`. */
export const OWN_BOOK = 'own-';
