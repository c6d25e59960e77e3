/** The schemas of files that more than one language or a bundle without packages reads: here apart from zod. The lines of a ledger: */
export const LEDGER_SCHEMA = 'weighbridge.ledger/1';
export const INTENT_SCHEMA = 'weighbridge.intent/1';
export const STATE_SCHEMA = 'weighbridge.state/1';
export const CALL_SCHEMA = 'weighbridge.call/1';
export const TEXT_SCHEMA = 'weighbridge.text/1';

/** Of `plan.json`. */
export const PLAN_SCHEMA = 'weighbridge.plan/1';
