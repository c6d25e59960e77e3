import {
  type FailureGroup,
  type KindResult,
  type LoadFigures,
  MOST_FAILURE_GROUPS,
} from '../../contracts/load-result.ts';

/** A shorter piece of a message tells nothing. */
const LEAST_MESSAGE = 12;
/** Of the target's text where one failure stands alone. */
const MOST_MESSAGE = 200;

/**
 * The terminal's words on failures: each kind's groups, with as much of their messages as fits into `width` columns
 * when all stand in one line. Empty where nothing failed.
 */
export function failureWords(kinds: readonly KindResult[], width: number): readonly string[] {
  const items = kinds.flatMap((figures) => {
    const { kind, failures } = figures;
    const told = failures.map((group) => ({
      head: `${kind} ${group.count} ${headWords(group)}`,
      message: plainLine(group.message ?? ''),
      count: group.count,
    }));
    const further = furtherFailures(figures);
    const rest = { head: `${kind} ${further} of further codes`, message: '', count: further };
    return further === 0 ? told : [...told, rest].sort((left, right) => right.count - left.count);
  });
  let room = width - items.map(({ head }) => head).join(' · ').length;
  let waiting = items.filter(({ message }) => message !== '').length;
  return items.map(({ head, message }) => {
    if (message === '') return head;
    // Those that come later take what a short message leaves.
    const piece = cutTo(message, Math.floor(room / waiting) - ': '.length);
    waiting -= 1;
    if (piece === '') return head;
    room -= ': '.length + piece.length;
    return `${head}: ${piece}`;
  });
}

/** Failed calls that stand in none of the groups that are told. */
export function furtherFailures({ outcomes, failures }: Pick<LoadFigures, 'outcomes' | 'failures'>): number {
  if (failures.length < MOST_FAILURE_GROUPS) return 0;
  const { ok, aborted, interrupted, ...failed } = outcomes;
  const all = Object.values(failed).reduce((sum, count) => sum + count, 0);
  return all - failures.reduce((sum, { count }) => sum + count, 0);
}

/** Calls that the end of the run cut: they did not fail, and have no answer either. Empty where there is none. */
export function cutWords(kinds: readonly KindResult[]): string {
  const cut = kinds.reduce((sum, { outcomes }) => sum + (outcomes.interrupted ?? 0), 0);
  return cut === 0 ? '' : `${cut} cut by the end of the run`;
}

/** How a call failed, in one line: `http_error 404 model_not_found: The model m does not exist`. */
export function failedWords({ message, ...group }: Omit<FailureGroup, 'count'>): string {
  const text = cutTo(plainLine(message ?? ''), MOST_MESSAGE);
  return text === '' ? headWords(group) : `${headWords(group)}: ${text}`;
}

/** `truncated`, `http_error 400 bad_size`; a 2xx status says nothing about a failure. */
function headWords({ outcome, status, error_code }: Omit<FailureGroup, 'count' | 'message'>): string {
  const refused = status !== null && (status < 200 || status > 299);
  return [outcome, refused ? status : null, error_code === null ? null : plainLine(error_code)]
    .filter((part) => part !== null)
    .join(' ');
}

/** The target's text must not steer the terminal: control and format characters become blanks. */
function plainLine(text: string): string {
  return text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
}

function cutTo(message: string, length: number): string {
  if (message.length <= length) return message;
  return length < LEAST_MESSAGE ? '' : `${message.slice(0, length - 1).replace(/[\p{Cs}\s]+$/u, '')}…`;
}
