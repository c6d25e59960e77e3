import { expect, test } from 'vitest';
import type { ReadResult } from '../../client/read-result.ts';
import type { AccountRecord } from '../../contracts/interface.ts';
import type { HaltReason } from '../../contracts/ledger-lines.ts';
import { keepCredit, needAccount } from './keep-credit.ts';

/** Answers with these quotas in turn, then with the last one for ever; null fails. */
function account(...quotas: readonly (number | null)[]) {
  let reads = 0;
  const asked: (() => void)[] = [];
  return {
    reads: () => reads,
    /** Resolves when the account has been read so often. */
    async until(count: number): Promise<void> {
      while (reads < count) await new Promise<void>((resolve) => asked.push(resolve));
    },
    client: {
      async account(): Promise<ReadResult<AccountRecord>> {
        const quota = quotas[Math.min(reads, quotas.length - 1)] ?? null;
        reads += 1;
        for (const tell of asked.splice(0)) tell();
        return quota === null
          ? {
              ok: false,
              status: 503,
              code: null,
              message: 'no service',
              retryAfterS: null,
              errorType: 'http_5xx',
              requestId: null,
            }
          : {
              ok: true,
              status: 200,
              body: { id: 1, quota, used_quota: 0, request_count: 0 },
              bytes: new Uint8Array(),
              sha256: '',
              numbersAsText: 0,
              requestId: null,
            };
      },
    },
  };
}

function drive() {
  const { promise: halted, resolve } = Promise.withResolvers<HaltReason>();
  return { halted, halt: resolve };
}

function notices() {
  const lines: string[] = [];
  return { lines, err: (line: string) => void lines.push(line) };
}

test('the run is halted when less than the share of the first quota is left', async () => {
  const { client } = account(1000, 900, 800, 799);
  const said = notices();
  const kept = await keepCredit({ client, share: 0.8, notices: said, everyMs: 1 });
  const load = drive();
  kept.guard(load);
  expect(await load.halted).toBe('credit_kept');
  expect(kept.spent()).toBe(true);
  expect(said.lines.at(-1)).toBe(
    '799 units of quota are left, and 800 are to be kept. No further calls are started.',
  );
});

test('the share itself may be left, and a drive that was let go is not halted', async () => {
  const { client, until } = account(1000, 800);
  const kept = await keepCredit({ client, share: 0.8, notices: notices(), everyMs: 1 });
  let halts = 0;
  kept.guard({ halt: () => (halts += 1) })();
  await until(5);
  expect([kept.spent(), halts]).toEqual([false, 0]);
  kept.close();
});

test('a drive that starts when too little is left already is halted at once', async () => {
  const { client } = account(1000, 1);
  const kept = await keepCredit({ client, share: 0.8, notices: notices(), everyMs: 1 });
  const trial = drive();
  kept.guard(trial);
  await trial.halted;
  const load = drive();
  kept.guard(load);
  expect(await load.halted).toBe('credit_kept');
});

test('an account that cannot be read for long cannot be kept', async () => {
  const { client } = account(1000, null);
  const said = notices();
  const kept = await keepCredit({ client, share: 0.8, notices: said, everyMs: 1, blindMs: 5 });
  const load = drive();
  kept.guard(load);
  expect(await load.halted).toBe('credit_kept');
  expect(said.lines.at(-1)).toMatch(/could not be read for \d+ s \(no service\)/);
});

test('one read that fails is no reason to stop', async () => {
  const { client, until } = account(1000, null, 1000);
  const kept = await keepCredit({ client, share: 0.8, notices: notices(), everyMs: 1, blindMs: 60_000 });
  await until(6);
  expect(kept.spent()).toBe(false);
  kept.close();
});

test('an account that cannot be read at the start ends the command', async () => {
  await expect(
    keepCredit({ client: account(null).client, share: 0.8, notices: notices() }),
  ).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('GET /api/user/self') });
});

test('what is missing to read the account is named', () => {
  expect(() => needAccount({ accessToken: 'a', userId: '1' })).not.toThrow();
  expect(() => needAccount({ accessToken: null, userId: '1' })).toThrow(
    expect.objectContaining({
      code: 'credential_missing',
      exitCode: 2,
      message: expect.stringMatching(/which needs WEIGHBRIDGE_ACCESS_TOKEN\.$/),
    }),
  );
  expect(() => needAccount({ accessToken: null, userId: null })).toThrow(
    /WEIGHBRIDGE_ACCESS_TOKEN and WEIGHBRIDGE_USER_ID/,
  );
});
