import { FILE_PLACES, type LinePart } from './line-part.ts';

/** Files of which nothing was read before. */
export function wholeParts(paths: readonly string[], files: readonly string[] = paths): readonly LinePart[] {
  return paths.map((path, index) => ({
    path,
    file: files[index] ?? path,
    place: index * FILE_PLACES,
    lines: 0,
    at: 0,
  }));
}
