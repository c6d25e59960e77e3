/** Formats in which metrics are told. */
export type MetricsFormat = 'text' | 'openmetrics';

interface Accepted {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly weight: number;
}

/** OpenMetrics where it is named, in a version that we write, and not ranked below plain text; text for anything else. */
export function acceptedFormat(accept: string | undefined): MetricsFormat {
  const ranges = acceptedRanges(accept ?? '');
  const best = (fits: (range: Accepted) => boolean) =>
    Math.max(0, ...ranges.filter(fits).map(({ weight }) => weight));
  const open = best(
    ({ type, parameters }) =>
      type === 'application/openmetrics-text' &&
      ['1.0.0', '0.0.1'].includes(parameters.get('version') ?? '1.0.0'),
  );
  return open > 0 && open >= best(({ type }) => type === 'text/plain') ? 'openmetrics' : 'text';
}

/** True where gzip is named, or anything, and not refused. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const ranges = acceptedRanges(acceptEncoding ?? '');
  const named = ranges.find(({ type }) => type === 'gzip') ?? ranges.find(({ type }) => type === '*');
  return named !== undefined && named.weight > 0;
}

/** Of `Accept` or `Accept-Encoding` (RFC 9110 §12.4.2); an unreadable weight counts as 0. */
function acceptedRanges(header: string): readonly Accepted[] {
  return header.split(',').map((part) => {
    const [type = '', ...rest] = part.split(';').map((text) => text.trim().toLowerCase());
    const parameters = new Map(
      rest.map((text): [string, string] => {
        const [name = '', value = ''] = text.split('=').map((half) => half.trim());
        return [name, value.replace(/^"(.*)"$/, '$1')];
      }),
    );
    const weight = parameters.get('q') ?? '1';
    return { type, parameters, weight: /^[01](\.\d{0,3})?$/.test(weight) ? Number(weight) : 0 };
  });
}
