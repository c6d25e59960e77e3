/** The schemas of the lines of a ledger file, and of the files that `text_ref` names. */
export const LEDGER_SCHEMA = 'weighbridge.ledger/1';
export const INTENT_SCHEMA = 'weighbridge.intent/1';
export const STATE_SCHEMA = 'weighbridge.state/1';
export const CALL_SCHEMA = 'weighbridge.call/1';
export const TEXT_SCHEMA = 'weighbridge.text/1';
