import type { FastifyReply, FastifyRequest } from 'fastify';

type Done = (error?: Error) => void;

/** A hook without a promise: each one would cost every request a turn of the microtask queue. */
export function plainHook(
  run: (request: FastifyRequest, reply: FastifyReply) => void,
): (request: FastifyRequest, reply: FastifyReply, done: Done) => void {
  return (request, reply, done) => {
    try {
      run(request, reply);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    done();
  };
}
