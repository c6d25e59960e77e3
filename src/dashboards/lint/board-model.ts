import { z } from 'zod';

const DATASOURCE = z.object({ type: z.string(), uid: z.string() });

/** What the rules read of a dashboard in Classic JSON. */
const BOARD = z.object({
  title: z.string(),
  uid: z.string(),
  editable: z.boolean(),
  templating: z.object({
    list: z.array(
      z.object({
        name: z.string(),
        label: z.string().optional(),
        type: z.string(),
        query: z.string(),
        datasource: DATASOURCE.optional(),
        refresh: z.number().optional(),
        multi: z.boolean().optional(),
        includeAll: z.boolean().optional(),
        allValue: z.string().optional(),
      }),
    ),
  }),
  annotations: z.object({ list: z.array(z.object({ name: z.string(), expr: z.string().optional() })) }),
  panels: z.array(
    z.object({
      type: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      datasource: DATASOURCE.optional(),
      fieldConfig: z.object({ defaults: z.object({ unit: z.string().optional() }) }).optional(),
      targets: z
        .array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() }))
        .optional(),
    }),
  ),
});

export type LintedBoard = z.infer<typeof BOARD>;
export type LintedPanel = LintedBoard['panels'][number];
export type LintedVariable = LintedBoard['templating']['list'][number];

export function readBoard(json: unknown): LintedBoard {
  return BOARD.parse(json);
}

/** Whether the board shows load runs, which are chosen by `testid` and have no scrape job. */
export function isLoadBoard(board: LintedBoard): boolean {
  return board.templating.list.some(({ name }) => name === 'testid');
}

export function queriesOf(board: LintedBoard): readonly { readonly where: string; readonly expr: string }[] {
  return board.panels.flatMap(({ title, targets }) =>
    (targets ?? []).map(({ refId, expr }) => ({ where: `${title ?? 'untitled'} ${refId}`, expr })),
  );
}
