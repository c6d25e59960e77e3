import { z } from 'zod';
import { FAULT_CLASSES } from '../../contracts/fault-class.ts';
import { MATCH_PASSES } from '../../contracts/match-pass.ts';
import { JUDGEMENTS } from '../../contracts/reconciliation.ts';
import { RESULT_SCHEMA, resultSchema } from '../../contracts/result.ts';
import { warrantSchema } from '../../contracts/warrant.ts';

export const EXPLANATION_SCHEMA = 'weighbridge.explanation/1';

const amount = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .describe('USD, plain decimal');
const text = z.string().nullable();
const count = z.int().min(0).nullable();
const whole = z
  .string()
  .regex(/^-?\d+$/)
  .nullable();

const finding = z
  .strictObject({
    id: z.string(),
    class: z.enum(FAULT_CLASSES),
    title: z.string().describe('the class in words'),
    severity: z.enum(['S1', 'S2', 'S3', 'S4']),
    confidence: z.enum(['proved', 'strong', 'bounded', 'weak']),
    warrant: warrantSchema.describe('what the accusation rests on'),
    direction: z.enum(['over', 'under', 'none']),
    delta_exact: amount.nullable(),
    delta_min: amount.nullable(),
    delta_max: amount.nullable(),
    rule: z.string(),
    rows: count,
    group: text,
    provisional: z.boolean(),
    deadline_at: text,
    evidence: z.array(z.string()),
    explanation: z.string(),
    next_step: z.string(),
    refuted_by: z.string(),
  })
  .meta({ id: 'explained_finding' });

const call = z
  .strictObject({
    call_id: text,
    kind: text,
    model: text,
    request_id: text,
    started_at: text,
    outcome: text,
    status: count,
    finish: text,
    end_ms: z.number().nullable(),
    usage: z
      .strictObject({ input: count, output: count, cache_read: count, cache_write: count, reasoning: count })
      .nullable()
      .describe('as the answer told it'),
    units: z
      .strictObject({
        images: count,
        size: text,
        quality: text,
        seconds: z.number().nullable(),
        resolution: text,
      })
      .nullable(),
  })
  .meta({ id: 'explained_call' });

const record = z
  .strictObject({
    id: z.string(),
    request_id: z.string(),
    created_at: text,
    model: z.string(),
    result: z.string(),
    billing_status: z.string(),
    amount: z.string().describe('as served, whatever it is'),
    reserved_amount: z.string(),
    refunded_amount: z.string(),
    input_tokens: whole,
    output_tokens: whole,
    cache_read_tokens: whole,
    cache_write_tokens: whole,
    usage_estimated: z.boolean(),
    pricebook_id: z.string(),
    pricing_version: z.string(),
  })
  .meta({ id: 'explained_record' });

const row = z
  .strictObject({
    row_id: z.string(),
    call: call.nullable().describe('null for a common sum, and where no call explains the record'),
    sum_of: z.array(z.string()).describe('calls that are judged by their common sum'),
    records: z.array(record),
    match: z.strictObject({ pass: z.enum(MATCH_PASSES), score: z.number(), why: z.string() }).nullable(),
    price: z.strictObject({
      book: z.strictObject({ sha256: z.string(), id: text, version: text }).nullable(),
      grade: z.enum(['published', 'declared', 'inferred']).nullable(),
      tier: text,
      lines: z.array(
        z.strictObject({
          meter: z.string(),
          units: z.string(),
          price: z.string(),
          per: z.string(),
          subtotal: z.string(),
        }),
      ),
    }),
    expected: amount.nullable().describe('where the right charge is one figure'),
    expected_lo: amount.nullable(),
    expected_hi: amount.nullable(),
    charged: amount.nullable(),
    difference: amount.nullable(),
    certain_over: amount.nullable(),
    certain_under: amount.nullable(),
    open: amount.nullable(),
    verdict: z.enum(JUDGEMENTS).nullable().describe('null for a common sum'),
    why: z.string(),
    findings: z.array(finding),
    refuted_by: z.string(),
  })
  .meta({ id: 'explained_row' });

/** What `weighbridge explain --json` prints. */
export const explanationSchema = z.strictObject({
  schema: z.literal(EXPLANATION_SCHEMA),
  run_id: z.string(),
  asked: z.string(),
  basis: z.enum(['ledger', 'records']),
  finding: finding.nullable().describe('the finding asked for, where it is about many rows or none'),
  rows: z.array(row),
  further_rows: z.int().min(0).describe('rows of that finding that are left out'),
});

export type Explanation = z.infer<typeof explanationSchema>;
export type ExplainedRow = z.infer<typeof row>;
export type ExplainedFinding = z.infer<typeof finding>;

/** JSON Schema of an explanation, as committed in explanation.schema.json. */
export function explanationJsonSchema(): Readonly<Record<string, unknown>> {
  return openJsonSchema(explanationSchema, { id: EXPLANATION_SCHEMA, title: 'Weighbridge explanation' });
}

/** The JSON Schema of a form of ours: strict when we write, open when others read, as later fields are added. */
function openJsonSchema(
  schema: z.ZodType,
  { id, title }: { readonly id: string; readonly title: string },
): Readonly<Record<string, unknown>> {
  const open = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return { $id: id, title, ...open };
}

/** JSON Schema of `result.json`, as committed in result.schema.json. */
export function resultJsonSchema(): Readonly<Record<string, unknown>> {
  return openJsonSchema(resultSchema, { id: RESULT_SCHEMA, title: 'Weighbridge result' });
}
