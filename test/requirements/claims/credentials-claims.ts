import type { Requirement } from './requirement.ts';

/** What the interface says of credentials. */
export const CREDENTIALS_CLAIMS = [
  { id: 'auth.missing_key_401', source: 'interface §7 row 401', says: 'A model call without a key is 401.' },
  {
    id: 'auth.missing_key_code',
    source: 'interface §7 row 401',
    says: 'The code for a missing key is empty.',
  },
  {
    id: 'auth.missing_key_message',
    source: 'interface §7 row 401',
    says: 'The message for a missing key speaks of an invalid token.',
  },
  {
    id: 'auth.invalid_key_401',
    source: 'interface §7 row 401',
    says: 'A model call with an invalid key is 401.',
  },
  {
    id: 'auth.invalid_key_code',
    source: 'interface §7 row 401',
    says: 'The code for an invalid key is empty.',
  },
  { id: 'auth.key_form', source: 'interface §5 credentials', says: 'API keys start with sk-.' },
  {
    id: 'auth.access_token_form',
    source: 'interface §5 credentials',
    says: 'System access tokens do not start with sk-.',
  },
  {
    id: 'auth.messages_x_api_key',
    source: 'interface §5 headers',
    says: 'A messages call takes the key in x-api-key.',
  },
  {
    id: 'auth.messages_bearer',
    source: 'interface §5 headers',
    says: 'A messages call takes the key as a bearer credential too.',
  },
  {
    id: 'auth.token_on_model_call',
    source: 'interface §5 rule 2',
    says: 'A system access token fails on a model call.',
  },
  {
    id: 'auth.token_on_usage',
    source: 'interface §1 item 8; §5 rule 2',
    says: 'A system access token fails on the usage reads.',
  },
  {
    id: 'auth.key_on_account',
    source: 'interface §4 note 7; §5 rule 2',
    says: 'An API key fails on the account read.',
  },
  {
    id: 'auth.user_header_needed',
    source: 'interface §5 rule 3',
    says: 'An account call without New-Api-User fails.',
  },
  {
    id: 'auth.user_owns_token',
    source: 'interface §5 headers',
    says: 'The user id has to be the one that owns the token.',
  },
  {
    id: 'auth.missing_token_401',
    source: 'interface §5 rule 6',
    says: 'The account read without a token is 401.',
  },
  {
    id: 'auth.missing_token_body',
    source: 'interface §5 rule 6',
    says: 'That 401 is an object of success false and a message.',
  },
  {
    id: 'auth.old_token_stops',
    source: 'interface §5 credentials item 2',
    says: 'A system access token that was regenerated stops working.',
  },
  {
    id: 'auth.new_token_works',
    source: 'interface §5 credentials item 2',
    says: 'The new one takes its place.',
  },
  { id: 'sites.mismatch_403', source: 'interface §5 rule 4', says: 'A key of another site is 403.' },
  {
    id: 'sites.mismatch_code',
    source: 'interface §5 rule 4; §7 row 403',
    says: 'The code of that 403 is key_site_mismatch.',
  },
  {
    id: 'sites.mismatch_message',
    source: 'interface §7 case 1',
    says: 'Its message names the right base or asks to create a key here.',
  },
  {
    id: 'sites.credit_not_shared',
    source: 'interface §1 item 7; §5 rule 4',
    says: 'A key of another site spends no credit of this one.',
  },
] as const satisfies readonly Requirement[];
