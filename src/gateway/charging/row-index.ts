const SHARDS = 256;
const FIRST_SLOTS = 16;
const EMPTY = 0;
/** What stands in the place of an entry that was taken out, so that those behind it are still found. */
const GONE = 0xffff_ffff;

/** Open addressing: each slot holds a row and the hash of its text. */
interface Shard {
  /** Row + 1. */
  rows: Uint32Array;
  hashes: Uint32Array;
  /** Slots that are not empty. */
  taken: number;
}

/**
 * Rows by a text of theirs, which is read where it stands. Many small tables: one of a million entries stands still
 * for a tenth of a second whenever it grows, and every stream with it.
 */
export class RowIndex {
  readonly #textOf: (row: number) => string;
  readonly #shards: Shard[] = Array.from({ length: SHARDS }, () => emptyShard(FIRST_SLOTS));

  constructor(textOf: (row: number) => string) {
    this.#textOf = textOf;
  }

  /** One text may have several rows. */
  add(text: string, row: number): void {
    const hash = hashOf(text);
    const shard = this.#shard(hash);
    if (shard.taken * 4 >= shard.rows.length * 3) grow(shard);
    put(shard, row + 1, hash);
  }

  /** Takes a row out that was added with this text. */
  remove(text: string, row: number): void {
    const hash = hashOf(text);
    const { rows } = this.#shard(hash);
    for (let slot = slotOf(hash, rows.length); rows[slot] !== EMPTY; slot = (slot + 1) % rows.length) {
      if (rows[slot] === row + 1) rows[slot] = GONE;
    }
  }

  /** In no order. */
  rows(text: string): readonly number[] {
    const hash = hashOf(text);
    const { rows, hashes } = this.#shard(hash);
    const found: number[] = [];
    for (let slot = slotOf(hash, rows.length); rows[slot] !== EMPTY; slot = (slot + 1) % rows.length) {
      const row = (rows[slot] ?? EMPTY) - 1;
      if (rows[slot] !== GONE && hashes[slot] === hash && this.#textOf(row) === text) found.push(row);
    }
    return found;
  }

  #shard(hash: number): Shard {
    const shard = this.#shards[hash % SHARDS];
    if (shard === undefined) throw new RangeError(`no shard for hash ${hash}`);
    return shard;
  }
}

function emptyShard(slots: number): Shard {
  return { rows: new Uint32Array(slots), hashes: new Uint32Array(slots), taken: 0 };
}

function grow(shard: Shard): void {
  const { rows, hashes } = shard;
  Object.assign(shard, emptyShard(rows.length * 2));
  for (let slot = 0; slot < rows.length; slot += 1) {
    const row = rows[slot] ?? EMPTY;
    if (row !== EMPTY && row !== GONE) put(shard, row, hashes[slot] ?? 0);
  }
}

function put(shard: Shard, entry: number, hash: number): void {
  const { rows, hashes } = shard;
  let slot = slotOf(hash, rows.length);
  while (rows[slot] !== EMPTY) slot = (slot + 1) % rows.length;
  rows[slot] = entry;
  hashes[slot] = hash;
  shard.taken += 1;
}

/** The low bits name the shard, the others the slot. */
function slotOf(hash: number, slots: number): number {
  return Math.floor(hash / SHARDS) % slots;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  }
  return hash >>> 0;
}
