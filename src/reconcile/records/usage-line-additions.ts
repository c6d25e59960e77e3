import { z } from 'zod';
import {
  LEAF_FIGURES,
  READ_DEFAULTS,
  READ_HAZARDS,
  READ_ODDITIES,
  READ_PURPOSES,
  RECORD_DEFAULTS,
  TOTALS_DEFAULTS,
} from '../../contracts/usage-lines.ts';

/** Fields of usage lines that folders of older versions lack, with what stands for them there. */

const text = z.string().nullable();
const number = z.number().nullable();

const leaf = z.looseObject({
  start: z.number(),
  end: z.number(),
  model: text,
  figure: z.enum(LEAF_FIGURES),
  totals: text,
  records: text,
  served: text,
  by_page_size: z.boolean(),
  stable: z.boolean(),
  reads: z.array(z.string()),
});

export const readLineAdditions = {
  answer_request_id: text.default(READ_DEFAULTS.answer_request_id),
  currency: text.default(READ_DEFAULTS.currency),
  pass: number.default(READ_DEFAULTS.pass),
  purpose: z.enum(READ_PURPOSES).nullable().default(READ_DEFAULTS.purpose),
  model: text.default(READ_DEFAULTS.model),
  key_fp: text.default(READ_DEFAULTS.key_fp),
  page: number.default(READ_DEFAULTS.page),
  newest: number.default(READ_DEFAULTS.newest),
  oldest: number.default(READ_DEFAULTS.oldest),
  oddities: z
    .array(z.looseObject({ kind: z.enum(READ_ODDITIES), count: z.number(), text: z.string() }))
    .default([...READ_DEFAULTS.oddities]),
  account: z
    .looseObject({ quota: z.number(), used_quota: z.number(), request_count: z.number() })
    .nullable()
    .default(READ_DEFAULTS.account),
  judged_passes: z.array(z.number()).nullable().default(READ_DEFAULTS.judged_passes),
  hazards: z
    .array(z.looseObject({ hazard: z.enum(READ_HAZARDS), met: z.boolean(), reads: z.array(z.string()) }))
    .nullable()
    .default(READ_DEFAULTS.hazards),
  leaves: z.array(leaf).nullable().default(READ_DEFAULTS.leaves),
};

export const recordLineAdditions = {
  pass: number.default(RECORD_DEFAULTS.pass),
  read: number.default(RECORD_DEFAULTS.read),
  key_fp: text.default(RECORD_DEFAULTS.key_fp),
  currency: text.default(RECORD_DEFAULTS.currency),
};

export const totalsLineAdditions = {
  key_fp: text.default(TOTALS_DEFAULTS.key_fp),
  answer_request_id: text.default(TOTALS_DEFAULTS.answer_request_id),
};
