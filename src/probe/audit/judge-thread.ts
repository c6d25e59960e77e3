import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { AuditJudgement, AuditWindow, JudgeQuestion, WindowQuestion } from './audit-judge.ts';
import type { RoundBooks } from './round-books.ts';

/** By which files the judge of a target is known. */
interface JudgeFiles {
  readonly ledger_dir: string;
  readonly state_file: string;
}

type Asked =
  | (JudgeFiles &
      (
        | { readonly asks: 'window'; readonly about: WindowQuestion }
        | { readonly asks: 'judge'; readonly about: JudgeQuestion }
        | { readonly asks: 'close' }
      ))
  | { readonly asks: 'books'; readonly about: RoundBooks }
  | { readonly asks: 'prune'; readonly about: PruneQuestion };

export interface PruneQuestion {
  readonly dir: string;
  readonly days: number;
  readonly now_ms: number;
}

export type Question = Asked & { readonly id: number };

export type ThreadAnswer = { readonly id: number } & (
  | { readonly window: AuditWindow }
  | { readonly judged: AuditJudgement }
  | { readonly done: true }
  | { readonly error: unknown }
);

/**
 * A thread that judges own calls and reads archives, one for all targets: on the event loop it would delay the time stamps of
 * probes, and the index of an archive takes longer each day. It begins with the first question, and ends when nobody has it open.
 */
class JudgeThread {
  #worker: Worker | null = null;
  #users = 0;
  #asked = 0;
  readonly #waiting = new Map<number, PromiseWithResolvers<ThreadAnswer>>();

  open(): void {
    this.#users += 1;
  }

  async close(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  get started(): boolean {
    return this.#worker !== null;
  }

  ask(question: Asked): Promise<ThreadAnswer> {
    const worker = this.#worker ?? this.#start();
    this.#worker = worker;
    this.#asked += 1;
    const id = this.#asked;
    const waiting = Promise.withResolvers<ThreadAnswer>();
    this.#waiting.set(id, waiting);
    worker.postMessage({ ...question, id });
    return waiting.promise;
  }

  #start(): Worker {
    // Beside this file, compiled or not.
    const entry = new URL(`./judge-thread-entry${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(entry, { execArgv: [] });
    worker.on('message', (answer: ThreadAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ('error' in answer) waiting?.reject(answer.error);
      else waiting?.resolve(answer);
    });
    const lost = (error: unknown): void => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    worker.on('error', lost);
    worker.on('exit', () => lost(new Error('the thread that judges own calls has ended')));
    return worker;
  }
}

const thread = new JudgeThread();

/** The judge of one target, in the thread of all. */
export class ThreadedJudge {
  readonly #files: JudgeFiles;

  constructor(ledger_dir: string, state_file: string) {
    this.#files = { ledger_dir, state_file };
    thread.open();
  }

  async window(about: WindowQuestion): Promise<AuditWindow> {
    const answer = await thread.ask({ asks: 'window', about, ...this.#files });
    if ('window' in answer) return answer.window;
    throw new RangeError('no answer to this question');
  }

  async judge(about: JudgeQuestion): Promise<AuditJudgement> {
    const answer = await thread.ask({ asks: 'judge', about, ...this.#files });
    if ('judged' in answer) return answer.judged;
    throw new RangeError('no answer to this question');
  }

  /** As `keepRoundBooks`. */
  async books(about: RoundBooks): Promise<void> {
    await thread.ask({ asks: 'books', about });
  }

  async close(): Promise<void> {
    // A thread that is gone has nothing to let go.
    if (thread.started) await thread.ask({ asks: 'close', ...this.#files }).catch(() => undefined);
    await thread.close();
  }
}

/** As `pruneArchive`, in the thread of all judges. */
export async function pruneInThread(about: PruneQuestion): Promise<void> {
  thread.open();
  try {
    await thread.ask({ asks: 'prune', about });
  } finally {
    await thread.close();
  }
}
