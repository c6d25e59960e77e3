import type { SecretValues } from '../../client/secrets/secret-values.ts';

/** Where lines go: standard error, as the command hands it in. */
export interface LogSink {
  write(line: string): unknown;
}

/**
 * Filters the finished line: a list of paths to redact misses messages, stacks, causes and keys. Where that leaves no JSON
 * (a secret of digits that stood as a number, one that ends in a backslash), each text of the line is filtered for itself.
 */
export function maskingSink(sink: LogSink, secrets: SecretValues): LogSink {
  return {
    write(line) {
      const masked = secrets.mask(line);
      sink.write(masked === line || isJson(masked) ? masked : maskedByParts(line, secrets));
    },
  };
}

const HELD_BACK = `${JSON.stringify({ level: 'warn', msg: 'a line of the log was held back: its secrets could not be taken out' })}\n`;

function maskedByParts(line: string, secrets: SecretValues): string {
  const text = JSON.stringify(maskedPart(JSON.parse(line), secrets));
  return secrets.mask(text) === text ? `${text}\n` : HELD_BACK;
}

function maskedPart(value: unknown, secrets: SecretValues): unknown {
  if (Array.isArray(value)) return value.map((item) => maskedPart(item, secrets));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [secrets.mask(key), maskedPart(item, secrets)]),
    );
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const masked = secrets.mask(text);
  return masked === text ? value : masked;
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
