import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { liveOnce } from './paid-daemon.test-support.ts';

const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** A daemon of its own, to be killed: it says what it has done, and goes on when that was heard. A `create` is a request. */
async function say(event: string, id: string): Promise<void> {
  writeSync(1, `${event} ${id}\n`);
  await answers.next();
}

const budget = await liveOnce(process.argv[2] ?? '', {
  async create(id) {
    await say('create', id);
    return `task-${id}`;
  },
  told: say,
});
await say('done', String(budget.spent().hour));
process.stdin.destroy();
