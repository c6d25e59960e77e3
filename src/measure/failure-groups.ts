import { type FailureGroup, MOST_FAILURE_GROUPS } from '../contracts/load-result.ts';
import type { LogicalCall } from './logical-call.ts';

/** Unicode characters of a message that are kept. */
const MESSAGE_LENGTH = 200;

/** What went wrong, by outcome, status and error code, the commonest first. Calls that we ended are no failures. */
export function failureGroups(calls: readonly LogicalCall[]): readonly FailureGroup[] {
  const failed = calls.filter((call) => call.judged && call.last.outcome !== 'ok');
  const groups = Map.groupBy(failed, ({ last }) =>
    JSON.stringify([last.outcome, last.status, last.error_code]),
  );
  return [...groups]
    .sort(([left, some], [right, others]) => others.length - some.length || (left < right ? -1 : 1))
    .slice(0, MOST_FAILURE_GROUPS)
    .flatMap(([, group]) => {
      const [first] = group;
      if (first === undefined) return [];
      const { outcome, status, error_code } = first.last;
      return [{ outcome, status, error_code, message: commonestMessage(group), count: group.length }];
    });
}

/** The earliest call's of those with the commonest message; null where no call has one. */
function commonestMessage(group: readonly LogicalCall[]): string | null {
  const texts = new Map<string, { readonly message: string; count: number }>();
  for (const { last } of group) {
    if (last.error_message === null) continue;
    // Every message carries its own request id (interface §7), which makes no other message of it.
    const key = last.request_ids.reduce((text, id) => text.replaceAll(id, ''), last.error_message);
    const known = texts.get(key);
    if (known === undefined) texts.set(key, { message: last.error_message, count: 1 });
    else known.count += 1;
  }
  const [commonest] = [...texts.values()].sort((left, right) => right.count - left.count);
  return commonest === undefined ? null : cut(commonest.message);
}

function cut(message: string): string {
  const letters = [...message];
  return letters.length <= MESSAGE_LENGTH ? message : `${letters.slice(0, MESSAGE_LENGTH - 1).join('')}…`;
}
