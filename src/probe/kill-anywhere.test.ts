import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type Crash, MemoryDisk } from '../state/memory-disk.test-support.ts';
import { LIMITS, liveOnce, Witness } from './paid-daemon.test-support.ts';

const CHILD = fileURLToPath(new URL('./paid-daemon-child.test-support.ts', import.meta.url));

/** A life on a disk that may stop it; what it did outside is a step of its own. True: it died. */
async function live(disk: MemoryDisk, witness: Witness): Promise<boolean> {
  const life = liveOnce(
    '/state',
    {
      async create(id) {
        await disk.act();
        witness.see('create', id);
        await disk.act();
        return `task-${id}`;
      },
      async told(event, id) {
        witness.see(event, id);
        await disk.act();
      },
    },
    disk,
  );
  return Promise.race([life.then(() => false), disk.died.then(() => true)]);
}

/** Dies in these steps, one life after the other, and then lives to its end. False: the first life did not die. */
async function diesAndLives(crash: Crash, torn: number, steps: readonly number[]) {
  const witness = new Witness();
  let disk = new MemoryDisk();
  let deaths = 0;
  for (const step of steps) {
    disk.diesIn = step;
    disk.torn = torn;
    if (await live(disk, witness)) deaths += 1;
    disk = disk.after(crash);
  }
  expect(await live(disk, witness)).toBe(false);
  return { witness, deaths };
}

/** One creation of a run at most, all of them ended or told as lost, and no more money than the cap. */
function check(witness: Witness, what: object): void {
  const { created, accepted, ended, lost } = witness;
  const twice = created.filter((id, at) => created.indexOf(id) !== at);
  const forgotten = created.filter((id) => !ended.has(id) && !lost.has(id));
  const lostThoughKnown = [...lost].filter((id) => accepted.has(id));
  expect({ ...what, twice, forgotten, lostThoughKnown }).toEqual({
    ...what,
    twice: [],
    forgotten: [],
    lostThoughKnown: [],
  });
  expect({ ...what, most: witness.most() <= LIMITS.hour }).toEqual({ ...what, most: true });
}

const CRASHES: readonly { readonly crash: Crash; readonly torn: number }[] = [
  { crash: { kind: 'kill' }, torn: 0 },
  { crash: { kind: 'kill' }, torn: 0.5 },
  { crash: { kind: 'kill' }, torn: 1 },
  { crash: { kind: 'power', kept: 0 }, torn: 1 },
  { crash: { kind: 'power', kept: 0.5 }, torn: 1 },
];

test.each(CRASHES)(
  'dying in any step ($crash.kind, $torn of a write) pays no run twice',
  async ({ crash, torn }) => {
    let deaths = 1;
    for (let step = 1; deaths === 1; step += 1) {
      const seen = await diesAndLives(crash, torn, [step]);
      deaths = seen.deaths;
      check(seen.witness, { step });
      // The test itself: a life makes more steps than this.
      if (deaths === 0) expect(step).toBeGreaterThan(200);
    }
  },
);

test('dying again on the way back, in any step, pays no run twice', async () => {
  for (let first = 1; first < 120; first += 7) {
    for (let second = 1; second < 40; second += 1) {
      const { witness } = await diesAndLives({ kind: 'kill' }, 0.5, [first, second]);
      check(witness, { first, second });
    }
  }
});

test('a process that is killed -9 again and again pays no run twice and keeps its budget', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'weighbridge-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const witness = new Witness();
  const lives: boolean[] = [];
  for (const lines of [1, 2, 3, 4, 5, 6, 9, 12, 15, 22])
    lives.push((await childLife(folder, witness, lines)) !== null);
  const spent = await childLife(folder, witness, Number.POSITIVE_INFINITY);
  check(witness, {});
  expect(spent).not.toBeNull();
  expect(BigInt(spent ?? '0')).toBeGreaterThanOrEqual(witness.most());
  expect(BigInt(spent ?? '0')).toBeLessThanOrEqual(LIMITS.hour);
  expect(witness.created.length).toBeGreaterThan(5);
  expect(lives.filter((ended) => !ended).length).toBeGreaterThan(5);
});

/** Kills the child right after it was told to go on from so many lines. What it said it had spent at its end, or null. */
async function childLife(folder: string, witness: Witness, lines: number): Promise<string | null> {
  const child = spawn(process.execPath, [CHILD, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  // What it can no longer be told, it need not hear.
  child.stdin.on('error', () => {});
  let spent: string | null = null;
  let said = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [event = '', id = ''] = line.split(' ');
    witness.see(event, id);
    if (event === 'done') spent = id;
    said += 1;
    child.stdin.write('on\n');
    if (said === lines) child.kill('SIGKILL');
  }
  await closed;
  return spent;
}
