import * as z from 'zod';
import { credentialReference } from './credential-reference.ts';
import { optional } from './key-schemas.ts';

const URL_RULE = 'must be the http or https address of a receiver such as "https://host/api/v1/write"';

/** Faults never repeat the text: it may hold a password. */
const receiverUrl = z.string({ error: URL_RULE }).superRefine((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const refuse = (message: string): void =>
    context.addIssue({ code: 'custom', message, params: { secret: true } });
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.host === '' || /\s/.test(text)) {
    refuse(URL_RULE);
  } else if (url.username !== '' || url.password !== '') {
    refuse('must not hold a user or password: they are username and password beside it');
  } else if (/[?#]/.test(text)) refuse('must not have a query or a fragment');
});

/** The `metrics:` block: where the metrics of a load run go while it goes. */
export const metrics = z.strictObject({
  remote_write: z
    .strictObject({
      url: receiverUrl.describe('Receiver of the remote write, such as that of Prometheus.'),
      username: optional(z.string().min(1).max(200), 'User of basic authentication.'),
      password: optional(credentialReference, 'Source of its password: `env:NAME` or `file:PATH`.'),
      bearer_token: optional(
        credentialReference,
        'Source of a token that replaces both: `env:NAME` or `file:PATH`.',
      ),
    })
    .superRefine(({ username, password, bearer_token }, context) => {
      const refuse = (key: string, message: string): void =>
        context.addIssue({ code: 'custom', path: [key], message, params: { secret: true } });
      if (password !== undefined && username === undefined) refuse('password', 'needs a username');
      if (username !== undefined && password === undefined) refuse('username', 'needs a password');
      if (bearer_token !== undefined && username !== undefined)
        refuse('bearer_token', 'does not go with username and password');
    })
    .optional(),
});
export type MetricsFile = z.infer<typeof metrics>;
