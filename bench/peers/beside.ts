/** What a tool has that we lack, and the other way round, written by hand from its documentation. */
export const BESIDE: Readonly<Record<string, { readonly has: string; readonly lacks: string }>> = {
  vegeta: {
    has: 'any HTTP request in one line; results as a stream that other programs take; a plot; reports in HDR form',
    lacks: 'first token, tokens, streams read as they come; tasks; a bill',
  },
  'k6/http': {
    has: 'any HTTP request, gRPC, browsers; scripts of any kind; a cloud with many places; a large community',
    lacks: 'first token, tokens; a stream is read whole; a ledger; a bill',
  },
  Locust: {
    has: 'users in Python; workers on many machines under one master; a web page that starts, stops and changes the load',
    lacks:
      'first token without code of your own; starts at planned times; exact percentiles above 100 ms; a bill',
  },
  AIPerf: {
    has: 'GPU and server metrics beside the load; dozens of public data sets; traces of agents with tools and subagents; images, audio and video as input; rankings; workers on many machines; plots',
    lacks:
      'the money of each call; a spend cap; findings with evidence; images and videos that are made as tasks; an error that blames target or client',
  },
  GuideLLM: {
    has: 'sweeps, and a search for the knee and for goodput; a stop at over-saturation; data sets of Hugging Face; traces of several forms; audio; vLLM in the same process; a page with plots',
    lacks:
      'the money of each call; a spend cap; a line on disk before each call; images and videos that are made as tasks; monitoring that goes on',
  },
};
