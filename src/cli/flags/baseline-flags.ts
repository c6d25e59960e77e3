import { type Command, InvalidArgumentError } from 'commander';
import { COMPARED_MEASURES, type RegressionLimit } from '../../contracts/comparison.ts';
import { PAID_KINDS } from '../../core/call-kind.ts';

export function baselineOptions(command: Command): Command {
  return command
    .option('--baseline <run>', 'earlier run to compare with: its id, or last-good')
    .option(
      '--max-regression <limits>',
      'how much worse than the baseline the run may be, such as ttft_p95=10%,video.e2e_p50=5%; more gives exit code 4',
      regressionLimits,
    );
}

/** `ttft_p95=10%`, `video.e2e_p50=5%`, several with commas between them. */
function regressionLimits(text: string, before: readonly RegressionLimit[] = []): readonly RegressionLimit[] {
  return [...before, ...text.split(',').map((part) => limitOf(part.trim()))];
}

function limitOf(text: string): RegressionLimit {
  const [, before, name = '', percent = ''] =
    /^(?:([a-z_]+)\.)?([a-z0-9_]+)=(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  if (percent === '') throw new InvalidArgumentError(`expected MEASURE=N% or KIND.MEASURE=N%, found ${text}`);
  const measure = COMPARED_MEASURES.find((each) => each === name);
  const kind = PAID_KINDS.find((each) => each === before);
  if (measure === undefined)
    throw new InvalidArgumentError(`expected one of ${COMPARED_MEASURES.join(', ')}, found ${name}`);
  if (before !== undefined && kind === undefined)
    throw new InvalidArgumentError(
      `expected one of ${PAID_KINDS.join(', ')} before the dot, found ${before}`,
    );
  return { kind: kind ?? null, measure, most: Number(percent) / 100 };
}
