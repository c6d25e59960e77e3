import { InvalidArgumentError } from 'commander';
import { COMPARED_MEASURES, type ComparedMeasure, type RegressionLimit } from '../../contracts/comparison.ts';
import { PAID_KINDS, type PaidKind } from '../../core/call-kind.ts';

/** `ttft_p95=10%`, `video.e2e_p50=5%`, several with commas between them. */
export function regressionLimits(
  text: string,
  before: readonly RegressionLimit[] = [],
): readonly RegressionLimit[] {
  return [...before, ...text.split(',').map((part) => limitOf(part.trim()))];
}

function limitOf(text: string): RegressionLimit {
  const [, kind, measure = '', percent = ''] =
    /^(?:([a-z_]+)\.)?([a-z0-9_]+)=(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  if (percent === '') throw new InvalidArgumentError(`expected MEASURE=N% or KIND.MEASURE=N%, found ${text}`);
  if (!isMeasure(measure)) {
    throw new InvalidArgumentError(`expected one of ${COMPARED_MEASURES.join(', ')}, found ${measure}`);
  }
  if (kind !== undefined && !isKind(kind)) {
    throw new InvalidArgumentError(`expected one of ${PAID_KINDS.join(', ')} before the dot, found ${kind}`);
  }
  return { kind: kind ?? null, measure, most: Number(percent) / 100 };
}

function isMeasure(name: string): name is ComparedMeasure {
  const known: readonly string[] = COMPARED_MEASURES;
  return known.includes(name);
}

function isKind(name: string): name is PaidKind {
  const known: readonly string[] = PAID_KINDS;
  return known.includes(name);
}
