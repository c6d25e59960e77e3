/** What a connection may take; times in ms. */
export interface HttpLimits {
  /** From the start of a request, or of its connection, to the end of its header fields. */
  readonly headers_ms: number;
  /** To the end of its body. The answer may take as long as it likes. */
  readonly request_ms: number;
  /** How often connections are looked at: a limit may be passed by as much. */
  readonly check_ms: number;
  /** Without a request; above what clients keep their connections for, so that they close first. */
  readonly keep_alive_ms: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headers_ms: 30_000,
  request_ms: 300_000,
  check_ms: 5_000,
  keep_alive_ms: 75_000,
};

/** Request line and header fields together, bytes; above it, 431. */
export const MAX_HEADER_BYTES = 16_384;
