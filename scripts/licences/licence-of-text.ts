/** What only this licence says, the most telling first: texts of later ones hold sentences of earlier ones. */
const TELLING: readonly (readonly [licence: string, text: RegExp])[] = [
  ['AGPL-3.0', /GNU AFFERO GENERAL PUBLIC LICENSE Version 3/],
  ['LGPL-3.0', /GNU LESSER GENERAL PUBLIC LICENSE Version 3/],
  ['GPL-3.0', /GNU GENERAL PUBLIC LICENSE Version 3/],
  ['GPL-2.0', /GNU GENERAL PUBLIC LICENSE Version 2/],
  ['MPL-2.0', /Mozilla Public License,? [Vv]ersion 2\.0/],
  ['Apache-2.0', /Apache License,? Version 2\.0/],
  [
    'BSD-3-Clause',
    /Redistributions in binary form.+(?:Neither|The|may not be used).+(?:endorse or promote|name)/,
  ],
  ['BSD-2-Clause', /Redistributions in binary form/],
  ['ISC', /Permission to use, copy, modify, and(?:\/or)? distribute this software for any/],
  ['MIT', /Permission is hereby granted, free of charge, to any person obtaining a copy/],
  ['Unlicense', /This is free and unencumbered software released into the public domain/],
  ['CC0-1.0', /CC0 1\.0 Universal/],
];

/** SPDX identifier of a licence's text; null where none is known. */
export function licenceOfText(text: string): string | null {
  const flowing = text.replace(/\s+/g, ' ');
  return TELLING.find(([, telling]) => telling.test(flowing))?.[0] ?? null;
}
