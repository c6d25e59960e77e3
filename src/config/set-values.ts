import { configDocument } from './config-document.ts';
import type { DocumentValue } from './document-value.ts';
import { formatPath } from './problem.ts';
import type { Origin, ResolvedConfig } from './resolved-config.ts';

/** A value that somebody set: its path, as weighbridge.yaml would hold it, and who set it. */
export interface SetValue {
  readonly path: string;
  readonly value: string;
  readonly origin: Exclude<Origin, 'default'>;
}

/** Every value that is not a default, in the order of the configuration. */
export function setValues(config: ResolvedConfig): SetValue[] {
  const shown = new Map<string, string>([['nonce', config.nonce ?? '']]);
  collect(configDocument(config), [], shown);
  // Each entry's own values follow one by one.
  shown.set('traffic', `a list of ${config.traffic.length}`);
  return Object.entries(config.origins).flatMap(([path, origin]) =>
    origin === 'default' ? [] : [{ path, value: shown.get(path) ?? '', origin }],
  );
}

function collect(value: DocumentValue, path: readonly (string | number)[], shown: Map<string, string>): void {
  shown.set(formatPath(path), textOf(value));
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of entriesOf(value)) collect(inner, [...path, key], shown);
}

function entriesOf(
  value: Exclude<DocumentValue, string | number | null>,
): [string | number, DocumentValue][] {
  if (isList(value)) return value.map((inner, index) => [index, inner]);
  return isMap(value) ? [...value] : Object.entries(value);
}

function textOf(value: DocumentValue): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (isList(value)) return `[${value.map(textOf).join(', ')}]`;
  return `{${entriesOf(value)
    .map(([key, inner]) => `${key}: ${textOf(inner)}`)
    .join(', ')}}`;
}

function isList(value: DocumentValue): value is readonly DocumentValue[] {
  return Array.isArray(value);
}

function isMap(value: DocumentValue): value is ReadonlyMap<string, DocumentValue> {
  return value instanceof Map;
}
