import type { ModelPrice, PriceComponent } from '../contracts/price-book.ts';
import type { BookReading } from './read/read-price-book.ts';

/** A reading as short lines that a person can compare with the source. */
export function bookLines(reading: BookReading): string {
  const { coverage } = reading;
  const read = [
    `adapter ${coverage.adapter ?? 'none'}: ${coverage.models_mapped} of ${coverage.models_total} models`,
    ...coverage.unmapped_keys.map(
      ({ path, may_price, models }) => `unmapped ${path}${may_price ? ' (a figure)' : ''} of ${models}`,
    ),
    ...coverage.unsupported.map(({ model, text }) => `unsupported ${model}: ${text}`),
    ...coverage.assumptions.map((text) => `assumed: ${text}`),
  ];
  if ('unreadable' in reading) {
    return [...read, ...reading.unreadable.map((reason) => `unreadable: ${reason}`), ''].join('\n');
  }
  const { book, partial, rounding_declared, identified } = reading;
  const { rounding, usage_semantics: counts } = book;
  return [
    ...read,
    `book ${identified ? `${book.pricebook_id} ${book.pricing_version}` : 'without a version'}${partial ? ', partial' : ''}`,
    `from ${book.valid_from ?? 'ever'}, rounding ${rounding_declared ? `${rounding.mode} ${rounding.quantum}` : 'undeclared'}, cache in input ${counts.input_includes_cache}, reasoning in output ${counts.output_includes_reasoning}`,
    ...book.models.flatMap(modelLines),
    ...book.adjustments.map(
      ({ name, factor, model, group }) =>
        `${name}: × ${factor}${model === null ? '' : ` for ${model}`}${group === null ? '' : ` in group ${group}`}`,
    ),
    '',
  ].join('\n');
}

function modelLines(model: ModelPrice): readonly string[] {
  const { match, when, valid_from, valid_to, time_of_day, tiers, priority } = model;
  const said = [
    match.kind === 'exact' && match.text === model.model ? '' : `${match.kind} ${match.text}`,
    priority === 0 ? '' : `priority ${priority}`,
    ...Object.entries(when).map(([name, value]) => `${name} ${value}`),
    valid_from === null ? '' : `from ${valid_from}`,
    valid_to === null ? '' : `until ${valid_to}`,
    time_of_day === null ? '' : `${time_of_day.from} to ${time_of_day.to}`,
    model.max_output_tokens === null ? '' : `at most ${model.max_output_tokens}`,
  ].filter((text) => text !== '');
  return [
    [`${model.kind} ${model.model}`, ...said].join(', '),
    ...model.components.map(componentLine),
    ...(tiers?.thresholds ?? []).flatMap(({ above, components }) => [
      `  ${tiers?.mode} ${tiers?.basis} ${tiers?.inclusive} ${above}`,
      ...components.map((component) => `  ${componentLine(component)}`),
    ]),
  ];
}

function componentLine({ meter, price, per, ...options }: PriceComponent): string {
  const said = Object.entries(options).map(([name, value]) => ` ${name} ${String(value)}`);
  return `  ${meter}${said.join('')}: ${price} for ${per}`;
}
