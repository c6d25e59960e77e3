/** Hears of a body while its reader reads it; nothing is read before the reader asks. */
export interface BodyTap {
  piece(chunk: Uint8Array): void;
  /** The body ended by itself (null), its reader gave it up, or it broke. Called once. */
  end(how: null | 'cancelled' | { readonly error: unknown }): void;
}

/** Bodies that were dropped without being read to their end. */
const dropped = new FinalizationRegistry<BodyTap>((tap) => tap.end('cancelled'));

/**
 * The same response with its body passed through `tap`, piece by piece as it is asked for: `clone()` would
 * hold whatever
 * one of two readers has not read yet. A response without a body, or that cannot be built again, is handed
 * back as it is, after
 * its end is told. The tap never fails: what it throws is its own matter.
 */
export function tapped(response: Response, tap: BodyTap): Response {
  const { body, status } = response;
  if (body === null || status < 200 || status > 599 || [204, 205, 304].includes(status)) {
    tap.end(null);
    return response;
  }
  const once = oneEnd(tap);
  let source: Source | null = null;
  const through = throughTap(() => source, once);
  const copy = new Response(through, { status, statusText: response.statusText, headers: response.headers });
  for (const name of ['url', 'redirected', 'type'] as const)
    Object.defineProperty(copy, name, { value: response[name], enumerable: true });
  // Last: up to here the response can still be handed back as it came.
  source = body.getReader();
  dropped.register(through, once, once);
  // An abort breaks the source at once, also where nobody reads on.
  source.closed.catch((error: unknown) => once.end({ error }));
  return copy;
}

type Source = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

function throughTap(sourceOf: () => Source | null, tap: BodyTap): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      async pull(controller): Promise<void> {
        try {
          const read = await sourceOf()?.read();
          if (read === undefined || read.done) {
            tap.end(null);
            controller.close();
            return;
          }
          tap.piece(read.value);
          controller.enqueue(read.value);
        } catch (error) {
          tap.end({ error });
          controller.error(error);
        }
      },
      async cancel(reason: unknown): Promise<void> {
        tap.end('cancelled');
        await sourceOf()?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function oneEnd(tap: BodyTap): BodyTap {
  let ended = false;
  const once: BodyTap = {
    piece: (chunk) => {
      if (!ended) tap.piece(chunk);
    },
    end: (how) => {
      if (ended) return;
      ended = true;
      dropped.unregister(once);
      tap.end(how);
    },
  };
  return once;
}
