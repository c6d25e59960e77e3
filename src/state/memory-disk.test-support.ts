import { Buffer } from 'node:buffer';
import type { StateDisk, StateFile, StateHold } from './state-disk.ts';

interface Node {
  data: Buffer;
  /** Bytes that a power cut leaves for sure. */
  synced: number;
}

interface Held {
  readonly owner: MemoryDisk;
  readonly waiting: (() => void)[];
}

/** What processes share. */
interface Shared {
  names: Map<string, Node>;
  /** As a power cut leaves them. */
  durable: Map<string, Node>;
  readonly locks: Map<string, Held>;
}

/** What a crash does: a kill leaves what the system has, a power cut what was synced and a part of the rest. */
export type Crash = { readonly kind: 'kill' } | { readonly kind: 'power'; readonly kept: number };

type Step =
  | 'lock'
  | 'read'
  | 'append'
  | 'create'
  | 'rename'
  | 'remove'
  | 'folder'
  | 'write'
  | 'sync'
  | 'truncate';

/** A disk that can stop the process before any of its steps, in the middle of a write, or refuse steps. */
export class MemoryDisk implements StateDisk {
  readonly #shared: Shared;
  /** Steps so far. */
  steps = 0;
  /** The process dies in this step; a write has then written `torn` of its bytes, as a part of 1. */
  diesIn = Number.POSITIVE_INFINITY;
  torn = 0;
  /** Steps that fail, as those of a full disk. */
  fails: (step: Step) => boolean = () => false;
  readonly died: Promise<void>;
  #die: () => void = () => {};

  constructor(shared: Shared = { names: new Map(), durable: new Map(), locks: new Map() }) {
    this.#shared = shared;
    this.died = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  /** The same disk as another process sees it, whose death is its own: it gives back its locks then. */
  process(): MemoryDisk {
    return new MemoryDisk(this.#shared);
  }

  /** Ends the process where it stands. */
  kill(): void {
    this.diesIn = Math.min(this.diesIn, this.steps);
    for (const [path, held] of this.#shared.locks) if (held.owner === this) this.#free(path, held);
  }

  /** A new disk with what the crash left. */
  after(crash: Crash): MemoryDisk {
    const next = new MemoryDisk();
    const names = crash.kind === 'kill' ? this.#shared.names : this.#shared.durable;
    for (const [path, { data, synced }] of names) {
      const kept =
        crash.kind === 'kill' ? data.length : synced + Math.floor(crash.kept * (data.length - synced));
      next.put(path, data.subarray(0, kept));
    }
    return next;
  }

  put(path: string, data: Uint8Array): void {
    const node = { data: Buffer.from(data), synced: data.length };
    this.#shared.names.set(path, node);
    this.#shared.durable.set(path, node);
  }

  text(path: string): string {
    return this.#shared.names.get(path)?.data.toString() ?? '';
  }

  /** Any other thing that the process does, as a step of its own. */
  act(): Promise<void> {
    return this.#step('read');
  }

  async lock(path: string, wait_ms: number): Promise<StateHold> {
    await this.#step('lock');
    const { locks } = this.#shared;
    for (let held = locks.get(path); held !== undefined; held = locks.get(path)) {
      if (wait_ms === 0) throw new Error(`locked: ${path}`);
      await new Promise<void>(held.waiting.push.bind(held.waiting));
      if (this.#isDead()) await new Promise(() => {});
    }
    locks.set(path, { owner: this, waiting: [] });
    return { release: async () => this.#release(path) };
  }

  #release(path: string): void {
    const held = this.#shared.locks.get(path);
    if (held?.owner !== this || this.#isDead()) return;
    this.#free(path, held);
  }

  #free(path: string, { waiting }: Held): void {
    this.#shared.locks.delete(path);
    for (const wake of waiting) wake();
  }

  #isDead(): boolean {
    return this.steps >= this.diesIn;
  }

  async read(path: string): Promise<Uint8Array | null> {
    await this.#step('read');
    return this.#shared.names.get(path)?.data ?? null;
  }

  async append(path: string): Promise<StateFile> {
    await this.#step('append');
    const node = this.#shared.names.get(path) ?? { data: Buffer.alloc(0), synced: 0 };
    this.#shared.names.set(path, node);
    return this.#file(node);
  }

  async create(path: string): Promise<StateFile> {
    await this.#step('create');
    const node = { data: Buffer.alloc(0), synced: 0 };
    this.#shared.names.set(path, node);
    return this.#file(node);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#step('rename');
    const node = this.#shared.names.get(from);
    if (node === undefined) throw new Error(`missing: ${from}`);
    this.#shared.names.set(to, node);
    this.#shared.names.delete(from);
  }

  async remove(path: string): Promise<void> {
    await this.#step('remove');
    this.#shared.names.delete(path);
  }

  async syncFolder(): Promise<void> {
    await this.#step('folder');
    this.#shared.durable = new Map(this.#shared.names);
  }

  #file(node: Node): StateFile {
    return {
      write: async (bytes) => {
        await this.#step('write', () => {
          const part = bytes.subarray(0, Math.floor(this.torn * bytes.length));
          node.data = Buffer.concat([node.data, part]);
        });
        node.data = Buffer.concat([node.data, bytes]);
      },
      sync: async () => {
        await this.#step('sync');
        node.synced = node.data.length;
      },
      truncate: async (size) => {
        await this.#step('truncate');
        node.data = node.data.subarray(0, size);
        node.synced = Math.min(node.synced, size);
      },
      close: async () => {},
    };
  }

  /** `part`: what of it is done all the same when the process dies or the disk refuses. */
  async #step(step: Step, part: () => void = () => {}): Promise<void> {
    this.steps += 1;
    if (this.steps > this.diesIn) await new Promise(() => {});
    if (this.steps === this.diesIn) {
      part();
      this.#die();
      for (const [path, held] of this.#shared.locks) if (held.owner === this) this.#free(path, held);
      await new Promise(() => {});
    }
    if (!this.fails(step)) return;
    part();
    throw Object.assign(new Error(`ENOSPC: ${step}`), { code: 'ENOSPC' });
  }
}
