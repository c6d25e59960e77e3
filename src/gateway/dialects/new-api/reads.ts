import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../parts/gateway.ts';
import { accountReads } from './account-reads.ts';
import { documentReads } from './document-reads.ts';
import { logReads } from './log-reads.ts';

/** What a gateway of this family tells for free. */
export function newApiReads(app: FastifyInstance, gateway: Gateway): void {
  documentReads(app, gateway);
  accountReads(app, gateway);
  logReads(app, gateway);
}
