import * as z from 'zod';
import { credentialReference } from './credential-reference.ts';
import { duration, positiveDuration } from './duration.ts';
import { optional, refuseTwins, wholeBetween } from './key-schemas.ts';
import { listenAddress } from './listen-address.ts';
import { probeKeys } from './probe-keys.ts';
import { probeName } from './probe-names.ts';
import { targetUrl } from './target-bases.ts';
import { targetHeaders } from './target-headers.ts';

const path = z.string().min(1).max(4_096);

const target = z
  .strictObject({
    name: probeName.describe('Name in metrics, in the log and on pages; unique.'),
    url: targetUrl.describe('Address of the gateway: root, /v1 or /api form.'),
    key: optional(
      credentialReference,
      'Source of the API key: `env:NAME` or `file:PATH`, relative to this file.',
    ),
    access_token: optional(
      credentialReference,
      'Source of the system access token, for the account. It needs user_id.',
    ),
    user_id: optional(credentialReference, 'Source of the numeric user id that belongs to the token.'),
    headers: optional(
      targetHeaders,
      'Headers of every request: a text, or for a secret `env:NAME` or `file:PATH`.',
    ),
    ...probeKeys,
  })
  .superRefine(({ access_token: token, user_id: user }, context) => {
    if ((token === undefined) === (user === undefined)) return;
    const [given, lacking] = token === undefined ? ['user_id', 'access_token'] : ['access_token', 'user_id'];
    context.addIssue({ code: 'custom', message: `${given} needs ${lacking}: the account is read with both` });
  });

const auth = z
  .strictObject({
    token_file: optional(path, 'File with the bearer token that readers must give.'),
    user: optional(
      z.string().regex(/^[^:\s]{1,80}$/, { error: 'must be a name without blanks and ":"' }),
      'Instead of a token: user name of basic authentication.',
    ),
    password_file: optional(path, 'File with the password that goes with user.'),
  })
  .superRefine(({ token_file: token, user, password_file: password }, context) => {
    const basic = user !== undefined && password !== undefined;
    const whole = token === undefined ? basic : user === undefined && password === undefined;
    if (!whole) context.addIssue({ code: 'custom', message: 'needs token_file, or user and password_file' });
  })
  .describe(
    'Who may read the metrics and pages. Default: anyone who can reach the address; on loopback only by an address or localhost.',
  );

/** The `probe:` block: which gateways are watched, how, and where the metrics are served. */
export const probe = z.strictObject({
  listen: optional(listenAddress, 'Address and port of the metrics and pages.'),
  tls: z
    .strictObject({
      cert_file: path.describe('PEM file of the certificate and its chain.'),
      key_file: path.describe('PEM file of its key.'),
    })
    .optional()
    .describe('Serve them with TLS. Paths are relative to this file.'),
  auth: auth.optional(),
  series_limit: optional(
    wholeBetween(10, 100_000),
    'Most series of one metric; label values beyond it are counted as `other`.',
  ),
  reconcile: optional(positiveDuration, 'How often calls of the daemon are compared with their records.'),
  drain: optional(duration, 'How long running probes may finish at the end.'),
  ...probeKeys,
  targets: z
    .array(target)
    .min(1)
    .max(50)
    .superRefine((entries, context) => {
      const names = entries.map(({ name }) => name.toLowerCase());
      refuseTwins(context, 'targets', names);
    })
    .optional()
    .describe(
      'Gateways to watch. Default: target.url, else the embedded gateway. Each may have the keys from budget to probes above. They override those of the section, key by key.',
    ),
});
export type ProbeFile = z.infer<typeof probe>;
