import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../run-weighbridge.ts';
import type { LivePrometheus } from './live-prometheus.ts';

const target = z.looseObject({ expr: z.string() });
const panel = z.looseObject({
  title: z.string().optional(),
  targets: z.array(target).optional(),
  get panels() {
    return z.array(panel).optional();
  },
});
const board = z.looseObject({ panels: z.array(panel) });

export interface PanelQuery {
  readonly file: string;
  readonly panel: string;
  readonly expr: string;
}

/** Every query of the dashboards as they are shipped, with all values of each variable chosen. */
export function panelQueries(): readonly PanelQuery[] {
  const folder = join(ROOT, 'dashboards/grafana');
  return readdirSync(folder).flatMap((file) =>
    queriesOf(board.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))).panels).map((query) => ({
      file,
      ...query,
    })),
  );
}

function queriesOf(panels: readonly z.infer<typeof panel>[]): readonly Omit<PanelQuery, 'file'>[] {
  return panels.flatMap(({ title, targets, panels: inner }) => [
    ...(targets ?? []).map(({ expr }) => ({ panel: title ?? '', expr: filledIn(expr) })),
    ...queriesOf(inner ?? []),
  ]);
}

/** `$__rate_interval` is four scrapes and more, as Grafana makes it. */
function filledIn(expr: string): string {
  return expr.replaceAll('$__rate_interval', '4s').replace(/"\$\w+"/g, '".*"');
}

/** Those that had no sample at any time of the test. */
export async function emptyQueries(
  prometheus: LivePrometheus,
  queries: readonly PanelQuery[],
  { start, end }: { readonly start: number; readonly end: number },
): Promise<readonly PanelQuery[]> {
  const empty: PanelQuery[] = [];
  for (const query of queries)
    if ((await prometheus.range(query.expr, start, end)).length === 0) empty.push(query);
  return empty;
}
