import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { proxyOf } from './proxy-of.ts';

const CASES = z
  .array(z.strictObject({ url: z.string(), except: z.string(), proxied: z.boolean() }))
  .parse(JSON.parse(readFileSync(new URL('../../test/corpus/proxy-rules.json', import.meta.url), 'utf8')));
const PROXY = 'http://proxy.example:3128';

function isProxied(url: string, except: string): boolean {
  const environment = { HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY, NO_PROXY: except };
  return proxyOf(new URL(url), environment) !== null;
}

describe('proxyOf', () => {
  it('chooses by the scheme, upper case before lower', () => {
    const environment = {
      HTTPS_PROXY: 'secure.example:1',
      https_proxy: 'http://other.example',
      http_proxy: PROXY,
    };
    expect(proxyOf(new URL('https://a.example'), environment)?.href).toBe('http://secure.example:1/');
    expect(proxyOf(new URL('http://a.example'), environment)?.href).toBe(`${PROXY}/`);
    expect(proxyOf(new URL('https://a.example'), { HTTPS_PROXY: '', https_proxy: PROXY })?.host).toBe(
      'proxy.example:3128',
    );
    expect(proxyOf(new URL('https://a.example'), { HTTP_PROXY: PROXY })).toBeNull();
  });

  // xk6/transport holds the same cases against Go's own rules.
  it.each(CASES)('$url except "$except": proxied $proxied', ({ url, except, proxied }) => {
    expect(isProxied(url, except)).toBe(proxied);
  });

  it.each(['http://user:secret@%zz', 'ftp://user:secret@proxy.example', 'http://user:secret@'])(
    'refuses an address without repeating it: %s',
    (text) => {
      let message = '';
      try {
        proxyOf(new URL('https://a.example'), { HTTPS_PROXY: text });
      } catch (error) {
        message = String(error);
      }
      expect(message).toContain('HTTPS_PROXY must be an http, https or socks5 URL');
      expect(message).not.toContain('secret');
    },
  );
});
