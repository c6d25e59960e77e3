/**
 * Writes the generated tables of docs/gateway.md, docs/faults.md, docs/findings.md and docs/environment.md between their markers.
 * `node scripts/generate-docs.ts` writes; with `--check` it changes nothing and exits 1 on a difference.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { NO_TERMS } from '../src/contracts/billing-terms.ts';
import { EXIT, EXIT_ORDER } from '../src/contracts/exit-code.ts';
import { FAULT_CLASSES, type FaultClass, SEVERITY_OF, TITLE_OF } from '../src/contracts/fault-class.ts';
import { BLAME_OF, ERROR_TYPES, ERROR_TYPES_OF, OUTCOMES, type Outcome } from '../src/contracts/outcome.ts';
import { isTokenKind, PAID_KINDS } from '../src/core/call-kind.ts';
import { ENDPOINTS } from '../src/gateway/http/endpoints.ts';
import { readingsJsonSchema } from '../src/gateway/readings/read-readings.ts';
import { deadlineMs } from '../src/reconcile/judge/deadline.ts';
import { faultTables, scenarioTable } from './fault-tables.ts';

const ROOT = new URL('../', import.meta.url);

/** Direction and meaning of each class that the reconciler makes. */
const FINDING: { readonly [C in FaultClass]?: readonly [direction: string, meaning: string] } = {
  duplicate_charge: [
    'over',
    'One request has a second record with an amount that is neither pending nor refunded. The name of its status does not matter.',
  ],
  unrecorded_request: [
    'under',
    'A call succeeded and costs something, but has no record. Provisional until a deadline that you declare, and while it is not proved that the records of its second were read whole. Without a declared deadline it is S3 after the default one if at least 100 records of its model are there and at most 2 % are missing, else provisional.',
  ],
  phantom_record: [
    'over',
    'A record on a key that is ours alone, which no call explains (S3 if it charges nothing). Or a record of a call that never reached the target.',
  ],
  charged_on_rejected: ['over', 'A call refused with a 4xx was charged.'],
  retry_double_charge: [
    'over',
    'An attempt that failed with a 5xx, or lost its connection, was charged, though a later attempt of the same call was answered and charged too. Neither proves that nothing was generated, so the report shows it, and it does not gate. `billing.policy.server_error: free` makes it `charged_on_server_error`.',
  ],
  charged_on_server_error: [
    'over',
    'A call answered with a 5xx was charged more than can be due for it, or was charged although `billing.policy.server_error` is `free`.',
  ],
  charged_empty_output: [
    'over',
    'An answer that ended properly and was empty was charged. The terms of the target say whether that is wrong: S4 with a delta between 0 and the charge, or exact if `billing.policy.empty_output` is `free`.',
  ],
  estimated_usage_not_flagged: [
    'over',
    'The record of a cut stream counts output, though no final usage was sent, and is not flagged as an estimate. The gateway flags other such records (S4: it may have the usage from elsewhere).',
  ],
  reasoning_double_count: [
    'over or under',
    'The record counts the reasoning tokens of the answer twice, or leaves them out. The output of an answer may include its reasoning or not. Its total shows which; without a total, both are right.',
  ],
  uncharged_success: ['under', 'A call succeeded and its final record charges nothing.'],
  disconnect_overcharge: [
    'over',
    'A call that did not end as it should (cut, timed out) was charged more than it can cost, or was charged although `billing.policy.aborted` is `free`.',
  ],
  disconnect_undercharge: [
    'under',
    'Such a call was charged less than what was delivered costs, though `billing.policy.aborted` is `charged`; or several calls were, of which some must be charged whole.',
  ],
  token_mismatch: [
    'over or under',
    'The record counts other tokens than the answer told. Or both count more input than [was sent](#counting-what-was-sent), or other output than was received.',
  ],
  wrong_model_price: [
    'none',
    'The record names another model, which is in the price list or was asked for by other calls. The answer and other records of the model use another name. S3 if the amount can be right; `amount_mismatch` has a difference in the amount. A second name, another spelling or a snapshot of the same model is no finding.',
  ],
  page_gap_or_overlap: [
    'none',
    'Pages of records skip or loop. Either a page itself shows it, or for some seconds their own page and the totals agree and the walk over all pages differs. A record on two pages, or an empty page, is S4.',
  ],
  filter_mismatch: [
    'none',
    'A read filtered by model or by a request id that nobody has returned other records, or lost its filter with the cursor.',
  ],
  account_counter_drift: [
    'none',
    'A counter of the account fell (for consumption: although no reserve or charge was given back). Or it grew by another amount than the credit lost, by the same ratio in at least three reads. Weak, and never in USD.',
  ],
  window_semantics: [
    'none',
    'A time window includes the second at its end, leaves out the second at its start, or differs at a border between windows. Or a matched record was created outside the window of its read, or over 15 minutes before its call.',
  ],
  currency_or_unit_error: [
    'none',
    'The totals, or a page of records, are in another currency than USD. No amount on such a page counts as USD.',
  ],
  negative_component: ['none', 'An amount or token count of a record is negative.'],
  failed_task_not_refunded: [
    'over',
    'A task ended as failed and its record still charges it. Provisional until `billing.deadlines.refund`, if you declare it, because the interface does not say when a credit comes.',
  ],
  partial_refund_wrong: ['over or under', 'A refunded record did not give its whole reserve back.'],
  double_refund: ['under', 'A refunded record gives back more than was reserved.'],
  reservation_leak: [
    'over',
    'A record still holds its reserve. The delta is what it holds beyond what is due, or all of it if the task never ended. Provisional until its deadline. Without a deadline that you declare it is S3 if at least 100 records of its model are final and at most 2 % are not, else S4.',
  ],
  state_regression: ['over, under or none', 'A final record changed, or is gone from a later complete read.'],
  totals_disagree_records: [
    'none',
    'The totals differ from the sum of the records (provisional until two reads of the same seconds, or two sweeps, show the same figures), or one of their fields cannot be read (final at once). It is no finding if pages lost the records.',
  ],
  by_model_or_daily_partition: [
    'none',
    "The totals differ from their own parts by model or by day (final at once), or a model's part from the records of that model (as above).",
  ],
  day_boundary_shift: ['none', 'A day of the totals differs from the records of that UTC day (as above).'],
  unknown_records: [
    'none',
    'A record lacks documented fields. S4: the totals report records of unknown kind, or a record has an unknown status and charges nothing (provisional until its deadline).',
  ],
  settle_above_reserve: [
    'over',
    "A record charges more than it had reserved, and not what is due (an account that reserves nothing is trusted, and never above it). Or, by the answer's own usage, the call cost more than the spend cap reserved for it, or wrote more output than a limit that the trial call obeyed. A cap cannot work there.",
  ],
  price_book_incoherent: [
    'none',
    'A version with two contents, prices that changed while the version did not, a version that was never served, or a charge for a model without a price.',
  ],
  precision_loss: [
    'none',
    'An amount is not an exact decimal string. A JSON number, or a text with an exponent, counts with its value. More than 12 decimals count as an interval. Any other value is unknown, so there is no conclusion (exit 7).',
  ],
  amount_mismatch: [
    'over or under',
    'The amount differs from the price by the price list. Or a record charges the call and says that it failed, though it succeeded (S4, no direction). In an audit of records alone, S4 if no number of units gives the amount, because an unknown factor may.',
  ],
  cache_double_charge: [
    'over',
    'Cached tokens are charged at the input price and at the price of the cache.',
  ],
  cache_read_at_full_price: [
    'over',
    'Tokens read from the cache are charged at the input price; by the rule `promised_hit`, hits that [the configuration says were promised](cache.md#why-a-miss-is-no-finding) did not come.',
  ],
  cache_write_unbilled: [
    'under',
    'Tokens written to the cache are charged at another price than that of writing, or not at all.',
  ],
  tier_not_applied: ['over or under', 'The call is charged by another context tier than that of its length.'],
  service_tier_price: [
    'over or under',
    'The call is charged by the prices of another service tier than the answer names.',
  ],
  stale_price_version: [
    'over or under',
    'The call is charged by another version of the price list than was in force, or its record names another one.',
  ],
  group_ratio_wrong: [
    'over or under',
    'Amounts of one or more models are the same multiple of the price by the price list. If all amounts are, the factor may have been agreed: S2 and bounded if it raises them, S4 if it lowers them.',
  ],
  rounding_bias: ['over or under', 'The amount is rounded by another rule than the price list declares.'],
  minimum_charge_unexpected: [
    'over',
    'Small calls cost exactly the same amount, and the price list names no minimum.',
  ],
  image_price: ['over or under', 'An image is charged as one of another size, quality or count.'],
  tool_surcharge: [
    'over or under',
    'A tool of the answer is charged more or fewer times than it was called.',
  ],
  video_units_wrong: ['over or under', 'A video is charged as one of another length or resolution.'],
  late_posting: [
    'none',
    'A record appeared later after its call than other records of this target (S4 without a deadline that you declare or a habit of its model).',
  ],
  unknown_status: [
    'none',
    'Records have an unknown `result`, or a `billing_status` that neither their amounts nor their history explain.',
  ],
  price_book_unreadable: [
    'none',
    'A price list could not be read in full. It never gates: there is no conclusion (exit 7).',
  ],
  bill_disagrees: [
    'over or under',
    '`bucket_over`, `bucket_under`: [a bill that tells sums](bills.md) has a bucket that differs from the sum of its calls, and no late charge, rounding or time zone explains it. S2 if it is too little.',
  ],
};

const OUTCOME: { readonly [O in Outcome]: string } = {
  ok: "the format's own complete ending",
  http_error: 'an answer that is not 2xx',
  stream_error: 'the stream itself says failed or incomplete, or it cannot be read',
  truncated: "a stream without the format's own ending, or a body that broke off",
  timeout_connect: 'no connection within `timeouts.connect`',
  timeout_headers: 'the answer did not begin within `timeouts.headers`',
  timeout_first_token: 'no generated content within `timeouts.first_token`',
  timeout_idle: 'nothing more came for `timeouts.idle`',
  timeout_total: 'not ended within `timeouts.total`',
  timeout_task: 'the task was not final within `timeouts.task`',
  task_failed: 'the task itself reports that it failed',
  task_lost: 'an accepted task is unknown to a poll, or another one answers',
  aborted: 'we cut the call on purpose',
  interrupted: 'cut because the run ended',
  not_sent: 'not sent, because the spend cap had no room or the run was halted',
  net_error: 'the connection failed before an answer',
  bad_response: 'a 2xx answer that breaks the interface, or whose result could not be downloaded',
};

const EXIT_TEXT: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'Everything is in order.',
  internal:
    'Weighbridge failed. For example, a file could not be written, or the load engine stopped or was killed.',
  usage:
    'The input is wrong: a flag, the configuration, a credential, or a file that you named. An audit of a target without usage records (`no_bill`) ends this way, too.',
  target:
    'The target cannot be reached, or it refuses the credentials. This can happen before a run, or in every call of it (no answer, 401, 402 or 403).',
  objectives:
    'An objective was missed, no call succeeded for another reason (`no_call_succeeded`), or a stop rule or the script ended the run.',
  findings: 'The bill is wrong: there are findings at or above the gate.',
  spendCap:
    'Money ended the run. The spend cap or the budget is used up, a call cost more than its reserve, or the credit is used up or was to be kept.',
  inconclusive:
    'There is no conclusion. For example, records were not read in full, the price list cannot be read, too little could be checked, no call started in the measured time, or the client was too slow to judge an objective on time.',
  interrupted: 'The command was interrupted. It wrote a partial report.',
};

/** Why a fault of a bill is not proved even with all evidence. */
const whyOpen = new Map(
  z
    .array(z.object({ fault: z.string(), verdict: z.string(), because: z.string() }))
    .parse(JSON.parse(read('test/corpus/decidable/decidable.json')))
    .filter(({ verdict }) => verdict !== 'proved')
    .map(({ fault, verdict, because }) => [fault, verdict === 'no' ? `not decidable: ${because}` : because]),
);

const nameOf = ({ fault, variant }: { readonly fault: string; readonly variant?: string | undefined }) =>
  variant === undefined ? fault : `${fault}, ${variant}`;

const graded = z
  .array(
    z.object({
      fault: z.string(),
      variant: z.string().optional(),
      class: z.string().nullable(),
      direction: z.string(),
      why: z.string().optional(),
    }),
  )
  .parse(JSON.parse(read('test/corpus/faults.json')))
  .map((row) => ({ ...row, why: row.why ?? whyOpen.get(nameOf(row)) }));

/** Classes that stand as text in the reconciler, and where bills are held against it, are those it makes. */
function classesMade(): readonly FaultClass[] {
  const sources = ['src/reconcile/', 'src/bill/']
    .flatMap((folder) =>
      readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
        .filter((name) => /^[^.]+\.ts$/.test(name))
        .map((name) => read(`${folder}${name}`)),
    )
    .join('\n');
  return FAULT_CLASSES.filter((name) => sources.includes(`'${name}'`));
}

function findingTable(): string {
  const made = classesMade();
  const idle = FAULT_CLASSES.filter((name) => FINDING[name] !== undefined && !made.includes(name));
  if (idle.length > 0) throw new Error(`described, but no judge makes it: ${idle.join(', ')}`);
  const rows = made.map((name) => {
    const text = FINDING[name];
    if (text === undefined) throw new Error(`${name}: give its direction and meaning here`);
    return [code(name), TITLE_OF[name], SEVERITY_OF[name], ...text];
  });
  return table(['class', 'in words', 'severity', 'direction', 'meaning'], rows);
}

function classesNotLookedFor(): string {
  const made = classesMade();
  const idle = FAULT_CLASSES.filter((name) => !made.includes(name)).map(code);
  return idle.length === 0
    ? 'Every class of the closed list is looked for.'
    : `Of the closed list of classes, these are not looked for, so that their absence from a report says nothing: ${idle.join(', ')}.`;
}

function outcomeTable(): string {
  const used = new Set(Object.values(ERROR_TYPES_OF).flat());
  const idle = ERROR_TYPES.filter((type) => !used.has(type));
  const rows = OUTCOMES.map((name) => {
    const byBlame = Map.groupBy(ERROR_TYPES_OF[name], (type) => BLAME_OF[type]);
    const types = [...byBlame].map(([blame, group]) =>
      blame === 'none' ? group.map(code).join(', ') : `${blame}: ${group.map(code).join(', ')}`,
    );
    return [code(name), OUTCOME[name], types.join('<br>')];
  });
  const rest = idle.length === 0 ? '' : `\n\nOf probes alone, in no row: ${idle.map(code).join(', ')}.`;
  return `${table(['outcome', 'meaning', 'blame: error types'], rows)}${rest}`;
}

function deadlines(): string {
  const byDeadline = Map.groupBy([...PAID_KINDS, null], (kind) =>
    deadlineMs(
      { terms: NO_TERMS },
      'reservation_leak',
      kind === null ? null : { kind, text: isTokenKind(kind) },
    ),
  );
  const rows = [...byDeadline].map(([ms, kinds]) => [
    kinds.map((kind) => (kind === null ? 'a record without a call' : code(kind))).join(', '),
    ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`,
  ]);
  return table(['kind', 'after the call ended'], rows);
}

function exitTable(): string {
  const rows = Object.entries(EXIT_TEXT).map(([name, text]) => {
    const found = Object.entries(EXIT).find(([key]) => key === name);
    return [String(found?.[1]), text];
  });
  const order = EXIT_ORDER.join(', ');
  return `${table(['code', 'meaning'], rows)}\n\nThe exit status is the first that holds of ${order}; \`exit_codes\` lists all.`;
}

function selectable(): string {
  return `- \`endpoint\`: ${ENDPOINTS.map(code).join(', ')}\n- \`kind\`: ${PAID_KINDS.map(code).join(', ')}`;
}

const switches = z.record(
  z.string(),
  z.object({
    description: z.string(),
    default: z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.unknown())]),
    enum: z.array(z.string()).optional(),
  }),
);

function readingsTable(): string {
  const { properties } = z.object({ properties: switches }).parse(readingsJsonSchema());
  const rows = Object.entries(properties).map(([name, { description, default: own, enum: all }]) => {
    const others = typeof own === 'boolean' ? [String(!own)] : (all ?? []).filter((value) => value !== own);
    const values = [Array.isArray(own) ? 'none' : code(String(own)), ...others.map(code)];
    return [code(name), values.join(', '), description];
  });
  return table(['field', 'values, its own choice first', 'meaning'], rows);
}

const PARTS: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/gateway.md': { readings: readingsTable, selectable },
  'docs/faults.md': { faults: () => faultTables(graded, table), scenarios: () => scenarioTable(table) },
  'docs/findings.md': {
    classes: findingTable,
    'not looked for': classesNotLookedFor,
    deadlines,
    outcomes: outcomeTable,
  },
  'docs/environment.md': { 'exit codes': exitTable },
};

/** The text with each part between `<!-- generated: NAME -->` and `<!-- end -->` made anew. */
function filled(file: string, text: string): string {
  let result = text;
  for (const [name, make] of Object.entries(PARTS[file] ?? {})) {
    const start = `<!-- generated: ${name} -->\n`;
    const from = result.indexOf(start);
    const to = result.indexOf('\n<!-- end -->', from);
    if (from < 0 || to < 0) throw new Error(`${file}: expected the markers of "${name}"`);
    result = result.slice(0, from + start.length) + make() + result.slice(to);
  }
  return result;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

function read(file: string): string {
  return readFileSync(new URL(file, ROOT), 'utf8');
}

for (const file of Object.keys(PARTS)) {
  const before = read(file);
  const after = filled(file, before);
  if (before === after) continue;
  if (process.argv.includes('--check')) {
    console.error(`${file} differs from what the code gives`);
    process.exitCode = 1;
  } else writeFileSync(new URL(file, ROOT), after);
}
