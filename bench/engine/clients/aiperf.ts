import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { watchedRun } from '../watched-run.ts';
import { partlyObserved, type StreamClient } from './stream-client.ts';

const quantiles = z.object({ p50: z.number(), p99: z.number() });
const exportSchema = z.object({
  time_to_first_token: quantiles,
  inter_token_latency: quantiles,
  inter_chunk_latency: quantiles.optional(),
  request_count: z.object({ avg: z.number() }),
});

/** It insists on a tokenizer, and without network on one of its own folder: trained here on three sentences. */
const TRAIN = `
import json, sys
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.decoder = decoders.ByteLevel()
trainer = trainers.BpeTrainer(vocab_size=400, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    special_tokens=["<|endoftext|>"])
tokenizer.train_from_iterator(["The crane lifts a load.", "Each load is weighed twice.", "A word is a word."], trainer)
import os
os.makedirs(sys.argv[1], exist_ok=True)
tokenizer.save(sys.argv[1] + "/tokenizer.json")
json.dump({"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|endoftext|>"},
    open(sys.argv[1] + "/tokenizer_config.json", "w"))
`;

/** A folder with a tokenizer, beside the program of a virtual environment. */
export function tokenizerBeside(path: string): string {
  const folder = join(dirname(path), '..', 'tokenizer');
  if (existsSync(join(folder, 'tokenizer_config.json'))) return folder;
  const done = spawnSync(join(dirname(path), 'python'), ['-c', TRAIN, folder], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`the tokenizer could not be made: ${done.stderr.slice(-400)}`);
  return folder;
}

/** What it calls inter-token latency is a mean of each stream; its gaps are the inter-chunk latency. */
export function aiperf(path: string): StreamClient {
  return {
    name: 'AIPerf',
    async run(bench, load, folder) {
      const requests = load.workers * load.each;
      const run = await watchedRun(bench, {
        folder,
        limit_s: load.limit_s,
        detail: load.detail,
        command: [
          path,
          'profile',
          ...['--model', 'aspen-mini', '--endpoint-type', 'chat', '--streaming', '--ui', 'none'],
          ...['--url', bench.mock.rootOf(load.shape), '--tokenizer', tokenizerBeside(path)],
          ...['--concurrency', String(load.workers), '--request-count', String(requests)],
          ...['--synthetic-input-tokens-mean', '40', '--artifact-dir', join(folder, 'artifacts')],
        ],
      });
      const [file] = globSync(join(folder, 'artifacts/**/profile_export_aiperf.json'));
      if (file === undefined) throw new Error(`it left no export: ${run.log.slice(-400)}`);
      const told = exportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      const gap = told.inter_chunk_latency?.p99 ?? null;
      return {
        run,
        observed: partlyObserved({
          ttft_p50: told.time_to_first_token.p50,
          ttft_p99: told.time_to_first_token.p99,
          itl_p99: gap,
          itl_p99_exact: gap,
          mean_itl_p99: told.inter_token_latency.p99,
          completed: told.request_count.avg,
        }),
      };
    },
  };
}
