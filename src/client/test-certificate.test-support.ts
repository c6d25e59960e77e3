import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A server's certificate signed by a private authority, all in PEM form. */
export interface TestCertificate {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const FAR = new Date(Date.UTC(2049, 11, 31, 23, 59, 59));
const CA = extension('551d13', true, sequence(boolean(true)));

/** A private authority, and certificates of it for one host name: Node makes none, and a test must not need a tool. */
export class TestAuthority {
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #serial = 1;
  readonly certificate = this.#signed('test authority', this.#pair.publicKey, FAR, CA);

  issue(host: string, notAfter: Date = FAR): TestCertificate {
    const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const names = extension('551d11', false, sequence(der(0x82, Buffer.from(host, 'latin1'))));
    return {
      authority: this.certificate,
      certificate: this.#signed(host, server.publicKey, notAfter, names),
      key: String(server.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    };
  }

  #signed(subject: string, publicKey: KeyObject, notAfter: Date, extensions: Buffer): string {
    const algorithm = sequence(oid('2a8648ce3d040302')); // ecdsa-with-SHA256
    const body = sequence(
      der(0xa0, der(0x02, Buffer.from([2]))), // version 3
      der(0x02, Buffer.from([this.#serial++])),
      algorithm,
      name('test authority'),
      sequence(time('200101000000Z'), time(utcTime(notAfter))),
      name(subject),
      publicKey.export({ type: 'spki', format: 'der' }),
      der(0xa3, sequence(extensions)),
    );
    const signature = der(
      0x03,
      Buffer.concat([Buffer.from([0]), sign('sha256', body, this.#pair.privateKey)]),
    );
    const text = sequence(body, algorithm, signature).toString('base64');
    return `-----BEGIN CERTIFICATE-----\n${text.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
  }
}

/** A new authority and a certificate of it for one host name. */
export function testCertificate(host: string): TestCertificate {
  return new TestAuthority().issue(host);
}

/** As X.509 writes times before 2050. */
function utcTime(at: Date): string {
  return `${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`;
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  const flag = critical ? [boolean(true)] : [];
  return sequence(oid(id), ...flag, der(0x04, value));
}

function name(text: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
}

function time(text: string): Buffer {
  return der(0x17, Buffer.from(text));
}

function boolean(value: boolean): Buffer {
  return der(0x01, Buffer.from([value ? 0xff : 0]));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function der(tag: number, content: Buffer): Buffer {
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
