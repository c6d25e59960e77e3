import { parentPort } from 'node:worker_threads';
import { AuditJudge } from './audit-judge.ts';
import type { Answer, Question } from './judge-thread.ts';

/** What runs in the thread of `judge-thread.ts`: one question after the other. */
const judges = new Map<string, AuditJudge>();
let last: Promise<unknown> = Promise.resolve();

parentPort?.on('message', (question: Question) => {
  last = last.then(async () => parentPort?.postMessage(await answerTo(question)));
});

async function answerTo({ id, ledger_dir, state_file, ...question }: Question): Promise<Answer> {
  const judge = judges.get(ledger_dir) ?? new AuditJudge(ledger_dir, state_file);
  judges.set(ledger_dir, judge);
  try {
    if (question.asks === 'window') return { id, window: await judge.window(question.about) };
    if (question.asks === 'judge') return { id, judged: await judge.judge(question.about) };
    judges.delete(ledger_dir);
    return { id, closed: true };
  } catch (error) {
    return { id, error };
  }
}
