import { z } from 'zod';

const target = z.looseObject({ refId: z.string(), expr: z.string() });
const panel = z.object({ title: z.string(), targets: z.array(target) });
/** A board of dashboards/grafana, as far as its queries go. */
export const boardFile = z.looseObject({
  uid: z.string(),
  time: z.object({ from: z.string() }),
  templating: z.object({
    list: z.array(z.object({ name: z.string(), allValue: z.string().optional() })),
  }),
  panels: z.array(panel),
});
export type BoardFile = z.infer<typeof boardFile>;

export interface PanelQueries {
  readonly title: string;
  readonly queries: readonly z.infer<typeof target>[];
}

/** Points of a panel, as a wide one asks for. */
const MOST_POINTS = 500;
const INTERVAL_MS = 60_000;

/** The queries of each panel with every variable at “all”, for one data source. A browser would fill them in. */
export function panelQueries(board: BoardFile, datasource: string): readonly PanelQueries[] {
  const all = new Map(board.templating.list.map(({ name, allValue }) => [name, allValue]));
  return board.panels.map(({ title, targets }) => ({
    title,
    queries: targets.map((one) => ({
      ...one,
      expr: filledIn(one.expr, all),
      datasource: { type: 'prometheus', uid: datasource },
      maxDataPoints: MOST_POINTS,
      intervalMs: INTERVAL_MS,
    })),
  }));
}

/** Names with two underscores, such as `$__rate_interval`, are Grafana's own: its server fills them in. */
function filledIn(expr: string, all: ReadonlyMap<string, string | undefined>): string {
  return expr.replaceAll(/\$(?:\{(\w+)(?::\w+)?\}|(\w+))/g, (whole, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? '';
    if (name.startsWith('__')) return whole;
    const value = all.get(name);
    if (value === undefined) throw new Error(`no value for ${whole} in ${expr}`);
    return value;
  });
}
