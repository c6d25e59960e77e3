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
    { line: 'weighbridge demo', does: 'see what an audit looks like, in ten seconds' },
    {
      line: 'weighbridge run http://127.0.0.1:8000 --rate 5/s --duration 30s',
      does: 'load any OpenAI-compatible server',
    },
    { line: 'weighbridge audit', does: 'load the embedded gateway for 60 s, and check its bill' },
    { line: 'weighbridge init --target https://host', does: 'write a configuration for your gateway' },
    { line: 'weighbridge audit --max-spend-usd 2', does: 'load your gateway, and check its bill' },
    {
      line: 'weighbridge reconcile --month last --target https://host',
      does: 'audit last month, for free',
    },
    {
      line: 'weighbridge gateway --port 8787',
      does: 'start a test gateway, with faults that you choose (--faults FILE)',
    },
  ],
  demo: [
    { line: 'weighbridge demo', does: 'see an audit from load to verdict, on this machine' },
    { line: 'weighbridge demo --overcharge', does: 'see how an overcharge is found' },
  ],
  audit: [
    { line: 'weighbridge audit', does: 'load the embedded gateway for 60 s, and check its bill' },
    {
      line: 'weighbridge audit --target https://host --max-spend-usd 2',
      does: 'load your gateway, and spend at most 2 USD',
    },
    { line: 'weighbridge audit --faults faults.yaml', does: 'see what an overcharge looks like' },
  ],
  run: [
    {
      line: 'weighbridge run http://127.0.0.1:8000 --rate 5/s --duration 30s',
      does: 'load any OpenAI-compatible server, without a file or a key',
    },
    {
      line: 'weighbridge run http://127.0.0.1:8000 --concurrency 20 --request-count 100',
      does: 'make 100 calls, 20 at a time',
    },
    {
      line: 'weighbridge run http://127.0.0.1:8000 --rate 4/s --find-capacity --objective ttft_p95=800ms',
      does: 'find the highest rate that meets the objective',
    },
    { line: 'weighbridge run --duration 30s --rate-scale 0.5', does: 'half of the planned load for 30 s' },
    {
      line: 'weighbridge run --target https://host --max-spend-usd 1',
      does: 'measure a gateway, without its bill',
    },
  ],
  plan: [
    {
      line: 'weighbridge plan --target https://host',
      does: 'show calls, tokens and USD before anything is sent',
    },
    { line: 'weighbridge plan --config soak.yaml --json', does: 'print the plan as JSON' },
  ],
  reconcile: [
    {
      line: 'weighbridge reconcile --month last --target https://host',
      does: 'audit last month from its usage records',
    },
    { line: 'weighbridge reconcile', does: 'check the newest run again, and read what was not final' },
    {
      line: 'weighbridge reconcile --ledger calls.csv --ledger-format csv --columns columns.yaml --target https://host',
      does: 'check calls that another program made',
    },
  ],
  report: [
    { line: 'weighbridge report', does: 'write the report of the newest run again' },
    { line: 'weighbridge report --format rows.csv,junit', does: 'also write files for other programs' },
    {
      line: 'weighbridge report --bundle --dry-run',
      does: 'show what a bundle for the support would contain',
    },
  ],
  explain: [
    {
      line: 'weighbridge explain 20261121180051000008c72r6oh9',
      does: 'explain a request of the newest run',
    },
    {
      line: 'weighbridge explain i0/chat/0/1 --run 20261121T180049Z-8084',
      does: 'explain a call of another run',
    },
    { line: 'weighbridge explain 3f2a9c0d1b4e --json', does: 'explain a finding as JSON' },
  ],
  claims: [
    {
      line: 'weighbridge report --bundle',
      does: 'make a bundle of overcharges, whose claims are then open',
    },
    { line: 'weighbridge claims', does: 'list open, sent, credited and refused claims' },
    { line: 'weighbridge claims sent 0d4f1c9a77b2', does: 'record that a bundle or a claim was sent' },
    {
      line: 'weighbridge claims credited 0d4f1c9a77b2',
      does: 'record a refund that is not in the usage records',
    },
  ],
  pull: [
    {
      line: 'weighbridge pull --target https://host',
      does: 'archive prices, models and usage, and see what changed',
    },
  ],
  pricebook: [
    {
      line: 'weighbridge pricebook preview book.json',
      does: 'show which prices can be read, and which cannot',
    },
    {
      line: 'weighbridge pricebook preview https://host --mapping mapping.yaml',
      does: 'read the prices of a gateway with a mapping',
    },
  ],
  probe: [
    {
      line: 'weighbridge probe',
      does: 'monitor the gateways of weighbridge.yaml, metrics on 127.0.0.1:9464',
    },
    { line: 'weighbridge probe --dry-run', does: 'show what the probes cost, before any is sent' },
  ],
  k8s: [
    {
      line: 'weighbridge k8s --instances 3 --image registry.example/weighbridge:1 --target https://host --max-spend-usd 5',
      does: 'write a load of three engines with its audit, for kubectl apply -k k8s',
    },
    {
      line: 'weighbridge k8s --probe --image registry.example/weighbridge:1',
      does: 'the daemon with its alerts',
    },
  ],
  history: [{ line: 'weighbridge history', does: 'the runs under reports/, newest first' }],
  gateway: [
    { line: 'weighbridge gateway', does: 'serve on 127.0.0.1:8787 until Ctrl-C' },
    { line: 'weighbridge gateway --port 0 --json', does: 'a free port, and print one JSON line' },
    { line: 'weighbridge gateway --list-faults', does: 'list its faults' },
  ],
  init: [
    {
      line: 'weighbridge init --target https://host',
      does: 'read its models and prices, and write weighbridge.yaml',
    },
    { line: 'weighbridge init --out trial.yaml', does: 'write a configuration for the embedded gateway' },
  ],
  doctor: [
    { line: 'weighbridge doctor', does: 'show what is missing on this machine, and how to fix it' },
    {
      line: 'weighbridge doctor --target https://host',
      does: 'test whether the target answers and accepts the key',
    },
    { line: 'weighbridge doctor --fix', does: 'build k6 and create folders' },
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
