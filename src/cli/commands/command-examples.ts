/** A command line as one would type it, and what it is good for. */
export interface CommandExample {
  readonly line: string;
  readonly does: string;
}

/**
 * What `--help` of each command begins with; the first entry is that of `weighbridge` itself. A test parses every line with the
 * commands as they are.
 */
export const COMMAND_EXAMPLES: Readonly<Record<string, readonly CommandExample[]>> = {
  weighbridge: [
    {
      line: 'weighbridge run http://127.0.0.1:8000 --rate 5/s --duration 30s',
      does: 'load any OpenAI-compatible server',
    },
    { line: 'weighbridge audit', does: '60 s of mixed load on the embedded gateway, and its bill' },
    { line: 'weighbridge init --target https://host', does: 'a configuration for a gateway of yours' },
    { line: 'weighbridge audit --max-spend-usd 2', does: 'load it, and audit what it charged' },
    {
      line: 'weighbridge reconcile --month last --target https://host',
      does: 'a past bill, audited for free',
    },
    { line: 'weighbridge gateway --port 8787', does: 'a gateway that misbehaves on purpose (--faults FILE)' },
  ],
  audit: [
    { line: 'weighbridge audit', does: 'the embedded gateway for 60 s, and its bill' },
    { line: 'weighbridge audit --target https://host --max-spend-usd 2', does: 'yours, within 2 USD' },
    { line: 'weighbridge audit --faults faults.yaml', does: 'see what an overcharge looks like' },
  ],
  run: [
    {
      line: 'weighbridge run http://127.0.0.1:8000 --rate 5/s --duration 30s',
      does: 'any OpenAI-compatible server; no file, no key',
    },
    {
      line: 'weighbridge run http://127.0.0.1:8000 --concurrency 20 --request-count 100',
      does: 'a hundred calls, twenty at a time',
    },
    {
      line: 'weighbridge run http://127.0.0.1:8000 --rate 4/s --find-capacity --objective ttft_p95=800ms',
      does: 'the highest rate that keeps it',
    },
    { line: 'weighbridge run --duration 30s --rate-scale 0.5', does: 'half of the load for half a minute' },
    { line: 'weighbridge run --target https://host --max-spend-usd 1', does: 'times, without the bill' },
  ],
  plan: [
    {
      line: 'weighbridge plan --target https://host',
      does: 'calls, tokens and USD, before anything is sent',
    },
    { line: 'weighbridge plan --config soak.yaml --json', does: 'the plan for programs' },
  ],
  reconcile: [
    {
      line: 'weighbridge reconcile --month last --target https://host',
      does: 'a past month, by its records alone',
    },
    { line: 'weighbridge reconcile', does: 'the newest run again: reads only what was still open' },
    {
      line: 'weighbridge reconcile --ledger calls.csv --ledger-format csv --columns columns.yaml --target https://host',
      does: 'calls that another program made',
    },
  ],
  report: [
    { line: 'weighbridge report', does: 'the newest run again, to the same bytes' },
    { line: 'weighbridge report --format rows.csv,junit', does: 'further files for other programs' },
    {
      line: 'weighbridge report --bundle --dry-run',
      does: "what a bundle for the gateway's support would hold and leave out",
    },
  ],
  explain: [
    {
      line: 'weighbridge explain 20261121180051000008c72r6oh9',
      does: 'by request id, in the newest run under reports/',
    },
    {
      line: 'weighbridge explain i0/chat/0/1 --run 20261121T180049Z-8084',
      does: 'by call id, in another run',
    },
    { line: 'weighbridge explain 3f2a9c0d1b4e --json', does: 'by the id of a finding, for programs' },
  ],
  claims: [
    {
      line: 'weighbridge report --bundle',
      does: 'make a bundle of what was charged too much; its claims are open then',
    },
    { line: 'weighbridge claims', does: 'what is open, sent, credited and refused' },
    { line: 'weighbridge claims sent 0d4f1c9a77b2', does: 'by the id of a bundle, or of one claim' },
    {
      line: 'weighbridge claims credited 0d4f1c9a77b2',
      does: 'where it came back outside the usage records',
    },
  ],
  pull: [
    {
      line: 'weighbridge pull --target https://host',
      does: 'archive book, models and usage, and see what changed',
    },
  ],
  pricebook: [
    {
      line: 'weighbridge pricebook preview book.json',
      does: 'the prices that are understood, and what is not',
    },
    {
      line: 'weighbridge pricebook preview https://host --mapping mapping.yaml',
      does: 'of a gateway, by a mapping',
    },
  ],
  probe: [
    { line: 'weighbridge probe', does: 'watch what weighbridge.yaml names, metrics on 127.0.0.1:9464' },
    { line: 'weighbridge probe --dry-run', does: 'what the probes cost, before any is sent' },
  ],
  k8s: [
    {
      line: 'weighbridge k8s --instances 3 --image registry.example/weighbridge:1 --target https://host --max-spend-usd 5',
      does: 'a load of three engines, and its audit, for kubectl apply -k k8s',
    },
    {
      line: 'weighbridge k8s --probe --image registry.example/weighbridge:1',
      does: 'the daemon with its alerts',
    },
  ],
  history: [{ line: 'weighbridge history', does: 'the runs under reports/, newest first' }],
  gateway: [
    { line: 'weighbridge gateway', does: 'serve on 127.0.0.1:8787 until Ctrl-C' },
    { line: 'weighbridge gateway --port 0 --json', does: 'a free port, and one line for programs' },
    { line: 'weighbridge gateway --list-faults', does: 'what it can do wrong' },
  ],
  init: [
    {
      line: 'weighbridge init --target https://host',
      does: 'ask it for models and prices, write weighbridge.yaml',
    },
    { line: 'weighbridge init --out trial.yaml', does: 'one for the embedded gateway' },
  ],
  doctor: [
    { line: 'weighbridge doctor', does: 'what is missing here, and what mends it' },
    { line: 'weighbridge doctor --target https://host', does: 'whether it answers, and takes the key' },
    { line: 'weighbridge doctor --fix', does: 'build k6, make folders' },
  ],
  completion: [
    { line: 'weighbridge completion bash', does: 'eval "$(…)" in ~/.bashrc' },
    { line: 'weighbridge completion zsh', does: 'eval "$(…)" in ~/.zshrc' },
    { line: 'weighbridge completion fish', does: '… | source in config.fish' },
  ],
};

/** The examples of a command as `--help` shows them; empty where there are none. */
export function examplesText(command: string): string {
  const examples = COMMAND_EXAMPLES[command] ?? [];
  if (examples.length === 0) return '';
  const width = Math.max(...examples.map(({ line }) => (line.length > WIDEST ? 0 : line.length)));
  return [
    'Examples:',
    ...examples.map(({ line, does }) =>
      line.length > WIDEST
        ? `  ${line}\n  ${' '.repeat(width)}  ${does}`
        : `  ${line.padEnd(width)}  ${does}`,
    ),
    '',
  ].join('\n');
}

/** A longer line has its meaning below it. */
const WIDEST = 58;
