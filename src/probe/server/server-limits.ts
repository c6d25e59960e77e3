/** What a connection may take. */
export const SERVER_LIMITS = {
  /** Line and header fields of a request, bytes; above it, 431. */
  max_header_bytes: 16_384,
  /** No route reads a body: what comes along with a request is passed over up to here; above it, 413. */
  max_body_bytes: 65_536,
  /** From the start of a request to the end of its header fields, and to its own end. */
  headers_ms: 10_000,
  request_ms: 30_000,
  /** Without a request; above what Prometheus and proxies wait between two scrapes of a minute. */
  keep_alive_ms: 75_000,
  /** Without a byte either way, also while an answer is made: above the longest timeout of a free probe. */
  idle_ms: 330_000,
  /** How often connections are looked at: a limit may be passed by as much. */
  check_ms: 2_000,
  connections: 500,
  /** What is smaller gains nothing by compression. */
  gzip_from_bytes: 1_024,
} as const;
