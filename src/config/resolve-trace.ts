import { resolve } from 'node:path';
import type { PaidKind } from '../core/call-kind.ts';
import { DEFAULTS } from './defaults.ts';
import type { Layers } from './layers.ts';
import { resolveSizes, type Take } from './resolve-text.ts';
import type { ResolvedTrace } from './resolved-config.ts';
import type { TraceFile } from './trace-schema.ts';

/** The trace that is replayed; null where there is none. Its path starts from `folder`. */
export function resolveTrace(
  trace: TraceFile | undefined,
  layers: Layers,
  folder: string,
): ResolvedTrace | null {
  if (trace === undefined) return null;
  const take: Take = (key, file, fallback) => layers.take(`trace.${key}`, { file }, fallback);
  return {
    file: resolve(folder, take('file', trace.file, '')),
    columns: take<ResolvedTrace['columns']>('columns', trace.columns, {}),
    speed: take<number>('speed', trace.speed, DEFAULTS.trace.speed),
    kind: take<PaidKind | null>('kind', trace.kind, null),
    model: take<string | null>('model', trace.model, null),
    max_in_flight: take<number>('max_in_flight', trace.max_in_flight, DEFAULTS.traffic.max_in_flight),
    text: resolveSizes(trace, take),
  };
}
