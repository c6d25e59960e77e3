/**
 * Where a line stands among all lines of the files of one kind: file × 2⁴⁰ + line, both from 0 and without empty lines.
 * It stays the same while files grow and further ones follow.
 */
export const FILE_PLACES = 2 ** 40;

/** A file, or what stands behind its lines that were read before. */
export interface LinePart {
  /** What is read: the file itself or a copy of the part. */
  readonly path: string;
  /** As it is named in messages. */
  readonly file: string;
  /** Its first line. */
  readonly place: number;
  /** Lines before it, empty ones too, and bytes. */
  readonly lines: number;
  readonly at: number;
}

/** A line by its place, with its number in its file from 1. */
export interface PlacedLine {
  readonly place: number;
  readonly number: number;
  readonly text: string;
}
