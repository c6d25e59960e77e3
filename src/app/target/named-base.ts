const ADDRESS = /https?:\/\/[\x21\x23-\x27\x2a-\x3b\x3d\x3f-\x5a\x5e-\x7a\x7e]+/i;

/** The first http or https address in a message, such as the base that `key_site_mismatch` names (interface §7); null for none. */
export function namedBase(message: string): string | null {
  const [found] = ADDRESS.exec(message) ?? [];
  return found?.replace(/[.,;:!?'*]+$/, '') ?? null;
}
