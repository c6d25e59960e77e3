import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testCertificate } from '../../client/test-certificate.test-support.ts';
import { ask, fileOf, serverOf } from './probe-server.test-support.ts';

describe('the server', () => {
  it('listens on IPv6 too', async () => {
    const { server, ask: get } = await serverOf({}, { host: '::1' });
    expect(server.url).toBe(`http://[::1]:${server.port}`);
    expect(server.port).toBeGreaterThan(0);
    expect((await get('/-/healthy')).status).toBe(200);
  });

  it('says that a port is taken, with exit code 2', async () => {
    const { server } = await serverOf({});
    await expect(serverOf({}, { port: server.port })).rejects.toMatchObject({
      code: 'listen_failed',
      exitCode: 2,
      message: `expected to listen on 127.0.0.1:${server.port}, found that another program listens there (EADDRINUSE)`,
    });
  });

  it('says that an address is not of this machine', async () => {
    await expect(serverOf({}, { host: '192.0.2.1' })).rejects.toMatchObject({
      code: 'listen_failed',
      exitCode: 2,
    });
  });

  it('refuses header fields and bodies beyond the limits, and is well afterwards', async () => {
    const { ask: get } = await serverOf({});
    expect((await get('/', { headers: { 'x-long': 'a'.repeat(20_000) } })).status).toBe(431);
    const body = 'x'.repeat(70_000);
    expect(
      (await get('/-/reload', { method: 'POST', body, headers: { 'content-length': '70000' } })).status,
    ).toBe(413);
    expect((await get('/-/reload', { method: 'POST', body: 'x'.repeat(1_000) })).status).toBe(200);
  });

  it('takes no unusable request for one of ours', async () => {
    const { server, faults } = await serverOf({});
    expect(await raw(server.port, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(
      await raw(
        server.port,
        'GET http://evil.example/metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1.1 400 /);
    expect(
      await raw(server.port, 'GET /\\..//?%zz=%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1.1 404 /);
    expect(faults).toEqual([]);
  });

  it('speaks TLS, and takes a new certificate when its files change', async () => {
    const first = testCertificate('probe.test');
    const second = testCertificate('probe.test');
    const cert_file = fileOf(first.certificate);
    const key_file = fileOf(first.key);
    const { ask: get, clock, problems, server } = await serverOf({}, { tls: { cert_file, key_file } });
    expect(server.url).toMatch(/^https:/);
    expect((await get('/-/healthy', { ca: first.authority })).status).toBe(200);
    // In between, the files do not belong together.
    writeFileSync(cert_file, second.certificate);
    clock.now += 1_000;
    expect((await get('/-/healthy', { ca: first.authority })).status).toBe(200);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('the one before stays in use');
    writeFileSync(key_file, second.key);
    clock.now += 1_000;
    expect((await get('/-/healthy', { ca: second.authority })).status).toBe(200);
    await expect(get('/-/healthy', { ca: first.authority })).rejects.toThrow();
  });

  it('speaks no TLS before 1.2', async () => {
    const { certificate, key, authority } = testCertificate('probe.test');
    const { server } = await serverOf({}, { tls: { cert_file: fileOf(certificate), key_file: fileOf(key) } });
    const failed = new Promise((resolve) => {
      const options = {
        port: server.port,
        ca: authority,
        servername: 'probe.test',
        maxVersion: 'TLSv1.1',
        minVersion: 'TLSv1',
      } as const;
      connectTls(options, () => resolve(null)).on('error', resolve);
    });
    expect(await failed).toBeInstanceOf(Error);
  });

  it('does not start with a certificate of another key, nor quote either', async () => {
    const cert_file = fileOf(testCertificate('probe.test').certificate);
    const key_file = fileOf(testCertificate('probe.test').key);
    const started = serverOf({}, { tls: { cert_file, key_file } });
    await expect(started).rejects.toMatchObject({ code: 'listen_file_invalid', exitCode: 2 });
    await expect(started).rejects.not.toThrow('BEGIN');
    await expect(serverOf({}, { tls: { cert_file: '/no/such', key_file } })).rejects.toThrow(
      'tls.cert_file: the file /no/such cannot be read',
    );
  });

  it('closes: no new connection, idle ones ended, open answers finished', async () => {
    let finish = (): void => {};
    const entered = Promise.withResolvers<void>();
    const { server, ask: get } = await serverOf({
      reload: () => {
        entered.resolve();
        return new Promise((resolve) => {
          finish = () => resolve({ ok: true });
        });
      },
    });
    const idle = connect(server.port, '127.0.0.1');
    onTestFinished(() => void idle.destroy());
    const idleEnd = new Promise((resolve) => idle.on('close', resolve).resume());
    idle.write('GET /-/healthy HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => idle.once('data', resolve));
    const open = get('/-/reload', { method: 'POST' });
    await entered.promise;
    const deadline = new AbortController();
    let isClosed = false;
    const closing = server.close(deadline.signal).then(() => {
      isClosed = true;
    });
    await idleEnd;
    await expect(ask(server.url, '/-/healthy')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(isClosed).toBe(false);
    finish();
    expect((await open).status).toBe(200);
    await closing;
  });

  it('ends open answers too when the deadline is over', async () => {
    const entered = Promise.withResolvers<void>();
    const { server, ask: get } = await serverOf({
      reload: () => {
        entered.resolve();
        return new Promise(() => {});
      },
    });
    const open = get('/-/reload', { method: 'POST' }).catch((error: unknown) => error);
    await entered.promise;
    const deadline = new AbortController();
    const closing = server.close(deadline.signal);
    deadline.abort();
    await closing;
    expect(await open).toBeInstanceOf(Error);
  });
});

/** What comes back for these bytes until the connection ends. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      answer += part;
    });
    socket.on('error', reject);
    socket.on('end', () => resolve(answer));
  });
}
