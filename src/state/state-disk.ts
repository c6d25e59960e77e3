/** What journals need of a file system: small, so that tests can stop it before and after every write. */
export interface StateDisk {
  /** Keeps every other writer away until the lock is given back; throws `state_in_use` where its owner has not ended after the wait. */
  lock(path: string, wait_ms: number): Promise<StateHold>;
  /** Null where there is none. */
  read(path: string): Promise<Uint8Array | null>;
  /** Opens for appending; the file and its folders are made where they are missing. */
  append(path: string): Promise<StateFile>;
  /** Opens an empty file, whatever was there. */
  create(path: string): Promise<StateFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** The names in the folder of this path outlive a power cut from then on. */
  syncFolder(path: string): Promise<void>;
}

export interface StateFile {
  /** All of the bytes, at the end. */
  write(bytes: Uint8Array): Promise<void>;
  /** What was written outlives a power cut from then on. */
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

export interface StateHold {
  release(): Promise<void>;
}
