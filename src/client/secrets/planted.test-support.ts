import fc from 'fast-check';

/** Secrets as a credential may be: visible ASCII, quotes, backslashes and percent signs among it. */
export const plantedSecret = fc
  .string({
    minLength: 12,
    maxLength: 40,
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  })
  // Twelve of one letter also stand in texts that hold no secret.
  .filter((text) => new Set(text).size >= 5 && /[A-Za-z]/.test(text));

/** How a secret may stand in a text, by how it came there. */
export const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  url: (secret) => encodeURIComponent(secret),
  'url, small letters': (secret) =>
    encodeURIComponent(secret).replaceAll(/%../g, (part) => part.toLowerCase()),
  'url, every character': (secret) =>
    [...secret].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
  'url, twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'form body': (secret) => new URLSearchParams({ key: secret }).toString(),
  json: (secret) => JSON.stringify(secret),
  'json in json': (secret) => JSON.stringify({ body: JSON.stringify({ key: secret }) }),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  'basic of a user': (secret) => `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`,
  'basic of another user': (secret) => `Basic ${Buffer.from(`u:${secret}`).toString('base64')}`,
  'base64 within more': (secret) => Buffer.from(`user=${secret}&x=1`).toString('base64'),
  'base64 in a url': (secret) => encodeURIComponent(Buffer.from(secret).toString('base64')),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  html: (secret) =>
    secret
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
};
