import * as z from 'zod';
import type { JournalCall, JournalFault, JournalLine } from '../../contracts/journal.ts';
import type { Answer, TestGateway } from '../parts/gateway.test-support.ts';
import { FAULT_HEADER } from '../requests/inject-faults.ts';

const lines = z.object({ lines: z.array(z.custom<JournalLine>((line) => typeof line === 'object')) });

export async function journalOf(
  gateway: TestGateway,
): Promise<{ calls: JournalCall[]; faults: JournalFault[] }> {
  const all = lines.parse((await gateway.control('GET', '/journal')).json).lines;
  return {
    calls: all.filter((line) => line.type === 'call'),
    faults: all.filter((line) => line.type === 'fault'),
  };
}

/** A call that asks for faults by its header. */
export function callWith(
  gateway: TestGateway,
  fault: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return gateway.call(method, path, body, { [FAULT_HEADER]: fault });
}
