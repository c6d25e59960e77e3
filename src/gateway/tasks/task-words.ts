import type { Readings } from '../readings/readings.ts';

const WORDS: Readonly<Record<Readings['task_words'], Readonly<Record<string, string>>>> = {
  named: {},
  pending: { queued: 'pending', in_progress: 'processing', completed: 'succeeded' },
  running: { in_progress: 'running', completed: 'succeeded', failed: 'expired' },
};

/** The status of a task in the words of the readings. */
export function taskWord(status: string, { task_words }: Readings): string {
  return WORDS[task_words][status] ?? status;
}
