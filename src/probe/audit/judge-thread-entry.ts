import { parentPort } from 'node:worker_threads';
import { pruneArchive } from '../../pricebook/archive/prune-archive.ts';
import { AuditJudge } from './audit-judge.ts';
import type { Question, ThreadAnswer } from './judge-thread.ts';
import { keepRoundBooks } from './round-books.ts';

/** What runs in the thread of `judge-thread.ts`: one question after the other. */
const judges = new Map<string, AuditJudge>();
let last: Promise<unknown> = Promise.resolve();

parentPort?.on('message', (question: Question) => {
  last = last.then(async () => parentPort?.postMessage(await answerTo(question)));
});

async function answerTo(question: Question): Promise<ThreadAnswer> {
  const { id } = question;
  try {
    switch (question.asks) {
      case 'window':
        return { id, window: await judgeOf(question).window(question.about) };
      case 'judge':
        return { id, judged: await judgeOf(question).judge(question.about) };
      case 'books':
        keepRoundBooks(question.about);
        return { id, done: true };
      case 'prune':
        pruneArchive(question.about.dir, question.about.days, question.about.now_ms);
        return { id, done: true };
      case 'close':
        judges.delete(question.ledger_dir);
        return { id, done: true };
    }
  } catch (error) {
    return { id, error };
  }
}

function judgeOf({ ledger_dir, state_file }: Extract<Question, { ledger_dir: string }>): AuditJudge {
  const judge = judges.get(ledger_dir) ?? new AuditJudge(ledger_dir, state_file);
  judges.set(ledger_dir, judge);
  return judge;
}
