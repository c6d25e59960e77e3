import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { fileOf, serverOf } from './probe-server.test-support.ts';

const TOKEN = 'reader-token-0123';
const basic = (user: string, password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
});
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('access', () => {
  it('with a bearer token opens to it alone; health and readiness stand open', async () => {
    const auth = { kind: 'bearer', token_file: fileOf(`${TOKEN}\n`) } as const;
    const { ask, secrets } = await serverOf({}, { auth });
    for (const path of ['/metrics', '/', '/config', '/api/status', '/probe', '/nowhere']) {
      const refused = await ask(path);
      expect([path, refused.status, refused.headers['www-authenticate']]).toEqual([
        path,
        401,
        'Bearer realm="weighbridge"',
      ]);
    }
    expect((await ask('/-/reload', { method: 'POST' })).status).toBe(401);
    expect((await ask('/-/healthy')).status).toBe(200);
    expect((await ask('/-/ready')).status).toBe(200);
    expect((await ask('/metrics', bearer(TOKEN))).status).toBe(200);
    expect(secrets.mask(TOKEN)).toBe('***');
  });

  test.each([
    ['a part of it', bearer(TOKEN.slice(0, -1))],
    ['more than it', bearer(`${TOKEN}x`)],
    ['nothing', bearer('')],
    ['the word null', bearer('null')],
    ['another scheme', { headers: { authorization: `Token ${TOKEN}` } }],
    ['a password', basic('', TOKEN)],
    ['it alone', { headers: { authorization: TOKEN } }],
  ])('refuses %s in place of the token', async (_, asked) => {
    const { ask } = await serverOf({}, { auth: { kind: 'bearer', token_file: fileOf(TOKEN) } });
    expect((await ask('/metrics', asked)).status).toBe(401);
  });

  it('with a password opens to its user alone', async () => {
    const auth = { kind: 'basic', user: 'reader', password_file: fileOf('correct:horse') } as const;
    const { ask } = await serverOf({}, { auth });
    expect((await ask('/', basic('reader', 'correct:horse'))).status).toBe(200);
    const refused = await ask('/', basic('reader', 'correct'));
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      'Basic realm="weighbridge", charset="UTF-8"',
    ]);
    expect((await ask('/', basic('Reader', 'correct:horse'))).status).toBe(401);
    expect((await ask('/', bearer('correct:horse'))).status).toBe(401);
  });

  it('takes the new token when the file changes, and keeps it while the file is gone', async () => {
    const token_file = fileOf(TOKEN);
    const { ask, clock, problems } = await serverOf({}, { auth: { kind: 'bearer', token_file } });
    writeFileSync(token_file, 'second-token-4567');
    clock.now += 1_000;
    expect((await ask('/metrics', bearer(TOKEN))).status).toBe(401);
    expect((await ask('/metrics', bearer('second-token-4567'))).status).toBe(200);
    rmSync(token_file);
    clock.now += 1_000;
    expect((await ask('/metrics', bearer('second-token-4567'))).status).toBe(200);
    expect((await ask('/metrics')).status).toBe(401);
    clock.now += 1_000;
    await ask('/metrics');
    expect(problems).toEqual([`the file ${token_file} cannot be read (ENOENT)`]);
  });

  test.each([
    ['bearer', 'auth.token_file'],
    ['basic', 'auth.password_file'],
  ] as const)('does not start without the secret of %s', async (kind, key) => {
    const file = fileOf('short');
    const auth = kind === 'bearer' ? { kind, token_file: file } : { kind, user: 'u', password_file: file };
    await expect(serverOf({}, { auth })).rejects.toMatchObject({
      code: 'listen_file_invalid',
      exitCode: 2,
      message: `probe.listen ${key}: the file ${file} must hold 8 characters or more`,
    });
  });
});
