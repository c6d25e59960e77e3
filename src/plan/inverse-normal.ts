/**
 * The standard normal deviate below which a share `p` of the distribution lies, for p from 1e-10 to 1 − 1e-10.
 * Wichura's algorithm AS 241 (Applied Statistics 37, 1988), good to about 1 part in 10¹⁶.
 */
export function inverseNormal(p: number): number {
  const centred = p - 0.5;
  if (Math.abs(centred) <= 0.425) {
    const r = 0.180625 - centred * centred;
    return (centred * polynomial(CENTRE_TOP, r)) / polynomial(CENTRE_BOTTOM, r);
  }
  const r = Math.sqrt(-Math.log(Math.min(p, 1 - p))) - 1.6;
  const deviate = polynomial(TAIL_TOP, r) / polynomial(TAIL_BOTTOM, r);
  return centred < 0 ? -deviate : deviate;
}

const CENTRE_TOP = [
  3.387_132_872_796_366_5, 133.141_667_891_784_38, 1_971.590_950_306_551_3, 13_731.693_765_509_46,
  45_921.953_931_549_87, 67_265.770_927_008_7, 33_430.575_583_588_13, 2_509.080_928_730_122_7,
];
const CENTRE_BOTTOM = [
  1, 42.313_330_701_600_91, 687.187_007_492_057_9, 5_394.196_021_424_751, 21_213.794_301_586_597,
  39_307.895_800_092_71, 28_729.085_735_721_943, 5_226.495_278_852_854,
];
const TAIL_TOP = [
  1.423_437_110_749_683_7, 4.630_337_846_156_546, 5.769_497_221_460_691, 3.647_848_324_763_204_5,
  1.270_458_252_452_368_4, 0.241_780_725_177_450_6, 0.022_723_844_989_269_184, 0.000_774_545_014_278_341_4,
];
const TAIL_BOTTOM = [
  1, 2.053_191_626_637_759, 1.676_384_830_183_803_8, 0.689_767_334_985_1, 0.148_103_976_427_480_08,
  0.015_198_666_563_616_457, 0.000_547_593_808_499_534_5, 1.050_750_071_644_416_9e-9,
];

/** Coefficients from the constant upwards. */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}
