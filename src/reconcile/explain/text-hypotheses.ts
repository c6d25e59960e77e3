import type { PriceComponent } from '../../contracts/price-book.ts';
import { componentOf, repriced, withComponents } from './changed-book.ts';
import { type Hypothesis, RANK } from './hypothesis.ts';
import { knownCount, lineHypothesis } from './line-hypothesis.ts';
import type { MismatchedCell } from './price-cell.ts';

const MOST_TOOL_CALLS = 3n;

/** Reasoning tokens counted once more or not at all. */
export function reasoningHypotheses(): readonly Hypothesis[] {
  return [
    lineHypothesis({
      name: 'reasoning_added',
      class: 'reasoning_double_count',
      told: 'reasoning tokens are charged on top of the output that holds them',
      applies: ({ facts }) => knownCount(facts.reasoning) > 0n,
      facts: (facts) => ({ ...facts, output: knownCount(facts.output) + knownCount(facts.reasoning) }),
    }),
    lineHypothesis({
      name: 'reasoning_omitted',
      class: 'reasoning_double_count',
      told: 'reasoning tokens are not charged',
      applies: ({ facts }) => knownCount(facts.reasoning) > 0n,
      facts: (facts) => ({
        ...facts,
        output: knownCount(facts.output) - knownCount(facts.reasoning),
        reasoning: 0n,
      }),
    }),
  ];
}

/** Calls of a tool charged that were not made, or not charged. */
export function toolHypotheses({ book, model }: MismatchedCell): readonly Hypothesis[] {
  const tools = new Set<string | undefined>();
  withComponents(book, model, (components) => {
    for (const { meter, tool } of components) if (meter === 'tool_call') tools.add(tool);
    return components;
  });
  return [...tools].flatMap((tool) =>
    offsets().map((offset) =>
      lineHypothesis({
        name: `tool:${offset > 0n ? '+' : ''}${offset}`,
        class: 'tool_surcharge',
        confidence: 'strong',
        told: `${offset > 0n ? offset : -offset} call(s) of ${tool ?? 'a tool'} ${offset > 0n ? 'too many' : 'too few'} are charged`,
        facts: (facts) => {
          const name = tool ?? Object.keys(facts.tools ?? {})[0] ?? 'tool';
          const calls = knownCount(facts.tools?.[name] ?? null) + offset;
          return calls < 0n ? null : { ...facts, tools: { ...facts.tools, [name]: calls } };
        },
      }),
    ),
  );
}

function offsets(): readonly bigint[] {
  const steps = Array.from({ length: Number(MOST_TOOL_CALLS) }, (_, index) => BigInt(index) + 1n);
  return steps.flatMap((step) => [step, -step]);
}

/** Input or output at the price of the other: named, but no class of its own. */
export function swappedPriceHypotheses({ book, model }: MismatchedCell): readonly Hypothesis[] {
  function at(
    name: string,
    told: string,
    change: (
      input: PriceComponent,
      output: PriceComponent,
    ) => readonly (readonly [PriceComponent, PriceComponent])[],
  ): Hypothesis {
    return lineHypothesis({
      name,
      class: 'amount_mismatch',
      rank: RANK.swapped_prices,
      told,
      book: withComponents(book, model, (components) => {
        const input = componentOf(components, 'input_token');
        const output = componentOf(components, 'output_token');
        if (input === null || output === null) return components;
        return change(input, output).reduce(
          (held, [meter, price]) => repriced(held, meter.meter, price),
          components,
        );
      }),
    });
  }
  return [
    at('output_at_input', 'output tokens are charged at the input price', (input, output) => [
      [output, input],
    ]),
    at('input_at_output', 'input tokens are charged at the output price', (input, output) => [
      [input, output],
    ]),
    at('in_out_swapped', 'the prices of input and output are swapped', (input, output) => [
      [input, output],
      [output, input],
    ]),
  ];
}
