import { type Zippable, zipSync } from 'fflate';

/** A zip of the files under one folder: the same files give the same bytes. */
export function zipFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  // A zip holds local time: the earliest moment that it can hold is the same digits in every zone.
  const mtime = new Date(1980, 0, 1);
  const held: Zippable = Object.fromEntries(
    [...files].map(([name, bytes]) => [`${folder}/${name}`, [bytes, { mtime, level: 9 }]]),
  );
  return zipSync(held);
}
