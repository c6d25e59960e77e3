/** A test, by its file and its title. */
interface ByTest {
  readonly test: string;
  readonly title: string;
  readonly commands: readonly string[];
}

/** Commands of the pages and the test that runs each: as shown, but for addresses, ids, folders and lengths of time. */
export const RUN: readonly ByTest[] = [
  {
    test: 'test/e2e/load-any-server.test.ts',
    title: 'one line loads a server like %s, without a key',
    commands: ['weighbridge run http://127.0.0.1:8000 --rate 3/s --duration 15s'],
  },
  {
    test: 'test/e2e/load-any-server.test.ts',
    title: 'twenty at a time until a hundred are made',
    commands: ['weighbridge run http://127.0.0.1:8000 --concurrency 20 --request-count 100'],
  },
  {
    test: 'test/e2e/load-any-server.test.ts',
    title:
      'flags alone search the highest rate that keeps an objective, and each step tells what it measured',
    commands: [
      'weighbridge run http://127.0.0.1:8000 --rate 4/s --find-capacity --objective ttft_p95=800ms,error_share=1%',
    ],
  },
  {
    test: 'test/e2e/dialects.test.ts',
    title: 'doctor names the dialect and what it lacks; a plan is made without a read of the interface',
    commands: [
      'weighbridge doctor --target http://127.0.0.1:3000',
      'weighbridge plan http://127.0.0.1:3000 --dialect new-api --max-spend-usd 1',
    ],
  },
  {
    test: 'test/e2e/load-any-server.test.ts',
    title: 'what --save writes plans the same calls, and overwrites no file',
    commands: [
      'weighbridge plan http://127.0.0.1:8000 --rate 3/s --save load.yaml',
      'weighbridge run --config load.yaml',
    ],
  },
  {
    test: 'src/report/files/load-forms.test.ts',
    title: 'load.csv has a line for each kind and one for all; what was not measured is empty',
    commands: ['weighbridge report --format load.csv,metrics.prom'],
  },
  {
    test: 'test/e2e/npm-start.test.ts',
    title: 'npm start, as a newcomer types it: set-up, progress, and a verdict of at most 14 lines',
    commands: ['npm start'],
  },
  {
    test: 'test/setup.test.ts',
    title: 'installs and builds once, says what it did, and is quiet and quick the second time',
    commands: ['npm run setup'],
  },
  {
    test: 'test/e2e/readme-commands.test.ts',
    title: 'the lines of the README for a gateway of one’s own run as shown, in their order',
    commands: [
      'export WEIGHBRIDGE_API_KEY_FILE=key.txt',
      'npx --no-install weighbridge doctor --target https://gateway.example',
      'npx --no-install weighbridge init --target https://gateway.example --out gateway.yaml',
      'npx --no-install weighbridge pricebook preview https://gateway.example',
      'npx --no-install weighbridge plan --config gateway.yaml --max-spend-usd 0.50',
      'npx --no-install weighbridge audit --config gateway.yaml --max-spend-usd 0.50',
      'npx --no-install weighbridge reconcile --month last --target https://gateway.example',
      'weighbridge probe --config gateway.yaml',
    ],
  },
  {
    test: 'test/e2e/demo.test.ts',
    title: 'npm run demo: from any folder, without target and key, to a verdict and a report',
    commands: ['npm run demo'],
  },
  {
    test: 'test/e2e/demo.test.ts',
    title: 'npm run demo -- --overcharge: calls that were charged twice are found',
    commands: ['npm run demo -- --overcharge', 'weighbridge demo --overcharge'],
  },
  {
    test: 'test/page-commands.test.ts',
    title: 'docs/price-lists.md: the list of the page is read in full, and used by a plan',
    commands: [
      'weighbridge pricebook preview https://gateway.example',
      'weighbridge pricebook preview prices.yaml',
    ],
  },
  {
    test: 'test/e2e/readme-commands.test.ts',
    title: 'the lines of docs/scripts.md for a script run by hand, and those that push it to Prometheus',
    commands: [
      'export WEIGHBRIDGE_PLAN=reports/by-hand/plan.json WEIGHBRIDGE_API_KEY_FILE=key.txt',
      'npx node bin/weighbridge.mjs plan --target https://host --max-spend-usd 2 --out reports/by-hand/plan.json',
      '$(cat .cache/k6/current) run --out weighbridge=reports/by-hand/calls scenarios/mixed.ts',
      'npx node bin/weighbridge.mjs reconcile --ledger reports/by-hand',
      'export K6_PROMETHEUS_RW_SERVER_URL=http://127.0.0.1:9090/api/v1/write',
      'export WEIGHBRIDGE_INSTANCE=left',
      'k6 run --tag testid=monday --tag instance=left --out weighbridge=reports/by-hand/calls --out experimental-prometheus-rw scenarios/mixed.ts',
    ],
  },
  {
    test: 'test/e2e/kubernetes-run.test.ts',
    title: 'docs/kubernetes.md: three engines drive the plan, the audit waits for all of them and is exact',
    commands: [
      'WEIGHBRIDGE_API_KEY_FILE=key.txt weighbridge k8s --instances 3 --image registry.example/weighbridge:1 --target https://gateway.example --max-spend-usd 5 --out k8s',
      'weighbridge reconcile --ledger reports/20261121T180049Z-8084',
    ],
  },
  {
    test: 'test/kubernetes.test.ts',
    title: 'the lines of docs/kubernetes.md for the daemon and for set times write what the page says',
    commands: [
      'weighbridge k8s --probe --config weighbridge.yaml --image registry.example/weighbridge:1 --out k8s-probe',
      'weighbridge k8s --month last --nightly audit --target https://gateway.example --max-spend-usd 1 --image registry.example/weighbridge:1 --out k8s-schedules',
    ],
  },
  {
    test: 'test/e2e/k6-archive.test.ts',
    title: 'a script is archived and inspected without a key, and without the files that runners read',
    commands: ['k6 archive', 'k6 inspect'],
  },
  {
    test: 'test/e2e/many-keys.test.ts',
    title: 'an audit over two keys is exact: calls by turns, records and money of each key',
    commands: [
      'weighbridge audit --target http://127.0.0.1:8787 --max-spend-usd 2 --key-file one.txt two.txt',
    ],
  },
  {
    test: 'test/e2e/audit-own-target.test.ts',
    title: 'a gateway of one’s own on a shared key: one trial a kind, foreign traffic is no finding, exit 0',
    commands: [
      'WEIGHBRIDGE_API_KEY_FILE=key.txt weighbridge audit --target http://127.0.0.1:8787 --max-spend-usd 2',
    ],
  },
  {
    test: 'test/e2e/readme-commands.test.ts',
    title: 'the audit of examples/README.md, of one plan on a gateway of one’s own',
    commands: [
      'WEIGHBRIDGE_API_KEY_FILE=key.txt weighbridge audit --config examples/plans/smoke.yaml --target https://gateway.example',
    ],
  },
  {
    test: 'test/examples.test.ts',
    title: 'the commands of the page print what stands under them',
    commands: [
      'weighbridge reconcile --ledger examples/bill/calls.ndjson --records examples/bill/records.csv --pricebook examples/bill/prices.yaml',
      'weighbridge explain req-0005',
      'weighbridge plan --config examples/plans/smoke.yaml',
      'weighbridge plan --config FILE',
    ],
  },
  {
    test: 'test/examples.test.ts',
    title: 'the trace of docs/load.md is planned as the page says',
    commands: ['weighbridge plan --config examples/plans/shared-prefixes.yaml'],
  },
  {
    test: 'test/e2e/first-audit-page.test.ts',
    title: 'the commands for a gateway of one\\u2019s own run as shown, in their order',
    commands: [
      'WEIGHBRIDGE_API_KEY_FILE=key.txt weighbridge reconcile --month last --target https://gateway.example',
      'WEIGHBRIDGE_API_KEY_FILE=key.txt weighbridge plan --target https://gateway.example --max-spend-usd 0.50',
      'WEIGHBRIDGE_API_KEY_FILE=key.txt weighbridge audit --target https://gateway.example --max-spend-usd 0.50 --duration 60s',
      'WEIGHBRIDGE_API_KEY_FILE=key.txt weighbridge reconcile --run 20261120T100000Z-0000',
      'weighbridge reconcile --run ID',
    ],
  },
  {
    test: 'src/cli/commands/reconcile-bill.test.ts',
    title: 'every command of docs/bills.md runs as shown, and says what is shown',
    commands: [
      'weighbridge reconcile --month 2026-10 --records records.ndjson --pricebook book.json --bill activity.json',
      'weighbridge reconcile --ledger calls.ndjson --month 2026-10 --pricebook book.json --bill activity.json --bill-whole',
      'weighbridge reconcile --bill activity.json --preview',
    ],
  },
  {
    test: 'test/e2e/reconcile-page.test.ts',
    title: 'every command of the page runs as shown',
    commands: [
      'weighbridge reconcile --month 2026-10',
      'weighbridge reconcile --from 2026-10-01 --to 2026-10-15T12:00Z --target https://gateway.example --key-file key.txt',
      'weighbridge reconcile --month 2026-10 --target https://gateway.example --key-file key.txt second-key.txt',
      'weighbridge reconcile --run 20261120T100000Z-0000',
      'weighbridge reconcile --ledger calls.ndjson --target https://gateway.example --key-file key.txt',
      'weighbridge reconcile --month 2026-10 --records records.csv --pricebook prices.json',
      'weighbridge reconcile --run 20261120T100000Z-0000 --gate S2',
      'weighbridge reconcile --run 20261120T100000Z-0000 --gate S3:0.01:duplicate_charge,phantom_record --min-checked 0.9',
      'weighbridge reconcile --run 20261120T100000Z-0000 --assume-reading amount=net --assume-reading status.free=waived',
      'weighbridge reconcile --ledger FILE … --target URL',
    ],
  },
  {
    test: 'test/chain-page.test.ts',
    title: 'every command of the page runs as shown, and says what is shown',
    commands: [
      'weighbridge reconcile --month 2026-11 --records sales.csv --pricebook prices.json --upstream bill.ndjson',
      'weighbridge reconcile --month 2026-11 --records sales.csv --pricebook prices.json --upstream spend.csv --upstream-mapping litellm',
      'weighbridge reconcile --month 2026-11 --records sales.csv --pricebook prices.json --upstream bought/ --upstream-pricebook provider-prices.json',
      'weighbridge reconcile --month 2026-11 --records sales.csv --pricebook prices.json --upstream bill.ndjson --upstream-whole',
    ],
  },
  {
    test: 'test/e2e/audit-month.test.ts',
    title: 'a month of an honest gateway: nothing but a key, exit 0, read once more into the same folder',
    commands: ['weighbridge report --run month-2026-10-<hash>'],
  },
  {
    test: 'test/e2e/claims-page.test.ts',
    title: 'every command of the pages runs as shown, and says what is shown',
    commands: [
      'weighbridge explain ID',
      'weighbridge explain 202611221835090000056k8wptc7',
      'weighbridge explain 202611221835090000056k8wptc7 --json',
      'weighbridge report --bundle --dry-run',
      'weighbridge report --bundle',
      'weighbridge claims',
      'weighbridge claims sent 26bc3f6516c7',
      'weighbridge claims refused b866942b5767',
      'weighbridge claims open b866942b5767',
      'weighbridge claims credited eb9242ab537a',
    ],
  },
  {
    test: 'src/cli/commands/pricebook.test.ts',
    title: 'a book that is read in full: its prices, units, rounding and cache',
    commands: ['weighbridge pricebook preview FILE', 'weighbridge pricebook preview book.json'],
  },
  {
    test: 'src/cli/commands/init.test.ts',
    title: 'is shown, and the configuration names it and the mapping that reads it',
    commands: [
      'weighbridge init --pricebook book.json',
      'weighbridge pricebook preview book.json --mapping book.mapping.yaml',
    ],
  },
  {
    test: 'src/cli/commands/claims.test.ts',
    title: 'the bundle opens with common tools, and its manifest holds',
    commands: ['sha256sum --check'],
  },
  {
    test: 'src/app/compare/compare-runs.test.ts',
    title:
      '--compare tells, as docs/compare.md shows it, by what two runs differ, for people and for programs',
    commands: ['weighbridge report --compare 20261121T180049Z-8084 20261122T180049Z-9999'],
  },
  {
    test: 'src/app/compare/compare-runs.test.ts',
    title:
      'the gate of docs/compare.md ends with 4 where the run is worse than its limit, and without a word where it is not',
    commands: [
      'weighbridge report --run 20261122T180049Z-9999 --baseline 20261121T180049Z-8084 --max-regression chat.e2e_p95=10%',
    ],
  },
  {
    test: 'test/e2e/baseline-gate.test.ts',
    title:
      'run and audit end with 4 where they are worse than their baseline, last-good or by its id, and with 0 where not',
    commands: ['weighbridge run --baseline last-good --max-regression ttft_p95=10%,error_share=0%'],
  },
  {
    test: 'src/cli/commands/report.test.ts',
    title: 'writes every form that is asked for, the same bytes each time but for Parquet',
    commands: [
      'weighbridge report --run ID',
      'weighbridge report --format focus,junit,load.csv,metrics.prom,rows.csv,rows.ndjson,rows.parquet',
      'weighbridge report --statement FILE',
    ],
  },
  {
    test: 'test/e2e/scheduled-runs.test.ts',
    title:
      'every command of the page runs: audit, what is due, history, what a collector and the daemon are told',
    commands: [
      'weighbridge audit --every 24h --baseline last-good --max-regression ttft_p95=50% --max-spend-usd 1 --out reports --state state',
      'weighbridge reconcile --due --out reports --state state',
      'weighbridge reconcile --month last --out reports --state state',
      'weighbridge reconcile --due',
      'weighbridge history --out reports --state state',
      'weighbridge history prune --keep 30 --older-than 90d --out reports --state state',
      'weighbridge history prune --keep 30 --older-than 90d --dry-run --out reports --state state',
      'weighbridge history --metrics-file metrics/weighbridge.prom --out reports --state state',
    ],
  },
  {
    test: 'test/e2e/scheduled-runs.test.ts',
    title: 'the nightly run of the page needs no bill and no key, and says when the next is to follow',
    commands: [
      'weighbridge run --every 24h --baseline last-good --max-regression ttft_p95=50% --out reports --state state',
    ],
  },
  {
    test: 'test/page-commands.test.ts',
    title: 'docs/scheduled-runs.md: the units go where the page puts them, hold there, and can be enabled',
    commands: [
      'systemd-analyze verify /etc/systemd/system/weighbridge-audit.service /etc/systemd/system/weighbridge-reconcile.service',
    ],
  },
  {
    test: 'test/page-commands.test.ts',
    title:
      'docs/dashboards.md: the lines for Prometheus make a configuration that it takes, and flags that it has',
    commands: [
      `sed -e 's/weighbridge:9464/127.0.0.1:9464/' -e "s|\\.\\./rules|$PWD/dashboards/rules|" dashboards/provisioning/prometheus.yml > prometheus-local.yml`,
    ],
  },
  {
    test: 'test/page-commands.test.ts',
    title: 'docs/dashboards.md: promtool takes the rules',
    commands: ['promtool check rules dashboards/rules/weighbridge.rules.yml'],
  },
  {
    test: 'test/page-commands.test.ts',
    title: 'docs/watch.md: pull stores what the gateway serves under the state, and says so',
    commands: ['weighbridge pull --target https://host'],
  },
  {
    test: 'test/page-commands.test.ts',
    title: 'docs/install.md: init writes the file that the page tells of',
    commands: ['WEIGHBRIDGE_API_KEY_FILE=key.txt weighbridge init --target https://gateway.example'],
  },
  {
    test: 'test/page-commands.test.ts',
    title: 'docs/install.md: doctor looks at what the table of the page names, and at nothing else',
    commands: ['weighbridge doctor'],
  },
  {
    test: 'test/page-commands.test.ts',
    title: 'docs/install.md: the lines for bash, zsh and fish make each of them complete the command',
    commands: [
      'eval "$(weighbridge completion bash)"',
      'weighbridge completion fish | source',
      'weighbridge completion bash',
    ],
  },
  {
    test: 'test/page-commands.test.ts',
    title: 'docs/evidence.md: a CSV file of any layout is audited with the mapping of the page',
    commands: [
      'weighbridge reconcile --ledger calls.csv --columns columns.yaml --target https://gateway.example --key-file key.txt',
    ],
  },
  {
    test: 'test/sdk/record.test.ts',
    title: 'the example of the page records its call',
    commands: ['weighbridge reconcile --ledger ledger --target https://gateway.example --key-file key.txt'],
  },
  {
    test: 'test/package.test.ts',
    title:
      'npx --no-install weighbridge audit runs with a k6 that is given, and its run is judged and rendered again',
    commands: [
      'npx --no-install weighbridge audit',
      'npm pack',
      'npm install',
      'npm install weighbridge-0.1.0.tgz weighbridge-engine-linux-x64-0.1.0.tgz',
      'npm run build:engines -- --only linux-x64',
      'npm run setup && npm pack',
    ],
  },
  {
    test: 'src/cli/program.test.ts',
    title: '--version prints the version of the package',
    commands: ['weighbridge --version'],
  },
  {
    test: 'test/e2e/probe-daemon.test.ts',
    title: 'the daemon sees every api succeed, a fault, and a bad configuration, and ends in order',
    commands: [
      'weighbridge probe --config weighbridge.yaml --listen :9464 --state /var/lib/weighbridge',
      'weighbridge reconcile --ledger /var/lib/weighbridge/gateway.example/probe/calls --target https://gateway.example --key-file key.txt',
    ],
  },
  {
    test: 'src/cli/commands/probe.test.ts',
    title: '--dry-run prints what the page shows',
    commands: ['weighbridge probe --dry-run'],
  },
  {
    test: 'src/cli/commands/probe.test.ts',
    title: 'without a target the embedded gateway is started and watched',
    commands: ['weighbridge probe'],
  },
  {
    test: 'test/e2e/remote-write.test.ts',
    title:
      'a run stands on the load dashboard, ends there with it, and holds the alerts of its target meanwhile',
    commands: ['weighbridge run'],
  },
  {
    test: 'src/cli/commands/plan.test.ts',
    title: '--cover prices prints what the page shows, and sends no call',
    commands: ['weighbridge plan --cover prices'],
  },
  {
    test: 'test/e2e/hand-run.test.ts',
    title: 'the commands of the page for $run drive a plan by hand and judge it',
    commands: [
      'weighbridge plan --out FILE',
      'weighbridge plan --target http://127.0.0.1:8787 --max-spend-usd 5 --duration 5s --out reports/by-hand/plan.json',
      'export WEIGHBRIDGE_PLAN=reports/by-hand/plan.json',
      'k6 run --out weighbridge=reports/by-hand/calls scenarios/mixed.ts',
      'weighbridge reconcile --ledger reports/by-hand',
      'weighbridge plan --target http://127.0.0.1:8787 --max-spend-usd 5 --duration 5s --instances 2 --out reports/split/plan.json',
      'export WEIGHBRIDGE_PLAN=reports/split/plan.json',
      'k6 run --address 127.0.0.1:6566 --execution-segment 0:1/2 --execution-segment-sequence 0,1/2,1 --out weighbridge=reports/split/calls scenarios/mixed.ts &',
      'k6 run --address 127.0.0.1:6567 --execution-segment 1/2:1 --execution-segment-sequence 0,1/2,1 --out weighbridge=reports/split/calls scenarios/mixed.ts',
      'wait',
      'weighbridge reconcile --ledger reports/split',
      'weighbridge reconcile --ledger',
    ],
  },
  {
    test: 'test/e2e/hand-run.test.ts',
    title: 'the script of the page without a plan makes its call, shows its times, and leaves no file',
    commands: ['URL=http://127.0.0.1:8787/v1 MODEL=aspen-mini k6 run xk6/examples/hello.ts'],
  },
  {
    test: 'src/cli/commands/reconcile.test.ts',
    title: 'the log of another program is judged by its mapping, and by a changed mapping anew',
    commands: [
      'weighbridge reconcile --month 2026-10 --records log.json --records-mapping new-api --pricebook pricing.json',
    ],
  },
  {
    test: 'test/e2e/litellm-proxy.test.ts',
    title:
      'a load through the proxy of LiteLLM is audited by what it logs itself: honest, and with a price of its own that is wrong',
    commands: [
      'weighbridge reconcile --run ID --records noted.ndjson --records-mapping litellm-payload --pricebook prices.json --assume-reading rounding=half_up/0.000000000001',
    ],
  },
  {
    test: 'test/private-rows.test.ts',
    title: '--by tells the money of each group, and the name that was asked for is all that is kept of it',
    commands: [
      'weighbridge reconcile --month 2026-10 --records spend.csv --records-mapping litellm --pricebook prices.json --by team',
    ],
  },
  {
    test: 'src/cli/commands/reconcile.test.ts',
    title: '--preview shows the records of files as they are understood, and judges nothing',
    commands: ['weighbridge reconcile --records log.json --records-mapping new-api --preview'],
  },
  {
    test: 'src/cli/commands/reconcile.test.ts',
    title: 'the files of two instances are judged as one run, which its folder then holds',
    commands: ['weighbridge reconcile --ledger RUN FOLDER…', 'weighbridge reconcile --ledger DIR DIR…'],
  },
  {
    test: 'test/e2e/find-capacity.test.ts',
    title: 'a search for the capacity drives steps of rising rate into one report',
    commands: [
      'weighbridge run --find-capacity',
      'weighbridge audit --config capacity.yaml --find-capacity --from 0.5 --step 4s --resolution 0.3 --most-steps 6',
    ],
  },
  {
    test: 'test/e2e/live-view.test.ts',
    title:
      'on a terminal frames are redrawn in place, within its size; in the end the verdict stands there and the cursor is back',
    commands: ['weighbridge audit --ui'],
  },
  {
    test: 'test/e2e/live-view.test.ts',
    title:
      'programs read one object a line, and the page in a browser shows the same, live, until the verdict',
    commands: [
      'weighbridge audit --json-progress --json 2> progress.ndjson',
      'weighbridge audit --ui 127.0.0.1:8080',
    ],
  },
  {
    test: 'src/cli/commands/gateway.test.ts',
    title: 'each line of docs/gateway.md that starts it alone serves',
    commands: [
      'weighbridge gateway --port 8787',
      'weighbridge gateway --data gateway-data',
      'weighbridge gateway --upstream --journal upstream.ndjson',
      'weighbridge gateway --plain',
      'weighbridge gateway --plain --quirks no-done,needs-key',
      'weighbridge gateway --dialect new-api',
      'weighbridge gateway --dialect litellm --quirks stored-prompts',
    ],
  },
  {
    test: 'src/cli/commands/gateway.test.ts',
    title: 'has a row for each fault, with its parameters, and each scenario; nothing serves',
    commands: ['weighbridge gateway --list-faults'],
  },
  {
    test: 'test/e2e/audit-prices.test.ts',
    title: 'are named call by call as the journal has them, and told once for all of a kind',
    commands: ['weighbridge audit --faults faults.yaml --readings readings.yaml --journal journal.ndjson'],
  },
  {
    test: 'test/docs.test.ts',
    title: 'the service calls of the gateway page answer as it says',
    commands: [
      'curl -N -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d \'{"model": "aspen-mini", "stream": true, "messages": [{"role": "user", "content": "Tell me of a mill."}]}\' $BASE/v1/chat/completions',
      'curl -H "Authorization: Bearer $KEY" "$BASE/v1/usage/requests?limit=1"',
    ],
  },
  {
    test: 'test/docs.test.ts',
    title: 'the gateway of the page: ready line, journal lines and every control call work as shown',
    commands: [
      'curl -H "Authorization: Bearer $TOKEN" $CONTROL/health',
      'curl -H "Authorization: Bearer $TOKEN" $CONTROL/journal',
      'curl -H "Authorization: Bearer $TOKEN" $CONTROL/faults',
      'curl -H "Authorization: Bearer $TOKEN" -X PUT --data-binary @faults.yaml $CONTROL/faults',
      'curl -H "Authorization: Bearer $TOKEN" -d \'{"journal": false}\' $CONTROL/reset',
      'curl -H "Authorization: Bearer $TOKEN" -d \'{"advance_s": 3600}\' $CONTROL/clock',
      'curl -H "Authorization: Bearer $TOKEN" -X PUT -d \'{"preset": "realistic"}\' $CONTROL/latency',
      'curl -H "Authorization: Bearer $TOKEN" $CONTROL/lateness',
      'curl -H "Authorization: Bearer $TOKEN" $CONTROL/prices',
      'curl -H "Authorization: Bearer $TOKEN" -X PUT -d \'{"factor": "1.5"}\' $CONTROL/prices',
      'curl -H "Authorization: Bearer $TOKEN" -d \'{"balance_usd": "5.00"}\' $CONTROL/accounts',
      'curl -H "Authorization: Bearer $TOKEN" $CONTROL/accounts/$USER_ID',
      'curl -H "Authorization: Bearer $TOKEN" -d \'{"amount_usd": "10", "receipt": "rcpt_0001"}\' $CONTROL/accounts/$USER_ID/credit',
      'curl -H "Authorization: Bearer $TOKEN" -X POST $CONTROL/accounts/$USER_ID/access-token',
      'curl -H "Authorization: Bearer $TOKEN" -X POST $CONTROL/accounts/$USER_ID/block',
      'curl -H "Authorization: Bearer $TOKEN" -X POST $CONTROL/accounts/$USER_ID/unblock',
      'curl -H "Authorization: Bearer $TOKEN" -d \'{"user_id": \'$USER_ID\', "limit_usd": "0.50"}\' $CONTROL/keys',
      'curl -H "Authorization: Bearer $TOKEN" -X POST $CONTROL/keys/$KEY_FP/block',
      'curl -H "Authorization: Bearer $TOKEN" -X POST $CONTROL/keys/$KEY_FP/unblock',
      'curl -H "Authorization: Bearer $TOKEN" -X POST $CONTROL/tasks/$JOB/fail',
    ],
  },
  {
    test: 'scripts/test.ts',
    title: "check('generated', process.execPath, ['scripts/generate.ts', '--check'])",
    commands: [
      'npm run generate',
      'node scripts/generate-metrics-docs.ts',
      'node scripts/generate-errors.ts',
      'node scripts/generate-result-schema.ts',
      'node scripts/generate-dashboards.ts',
      'node scripts/generate-licences.ts',
    ],
  },
  { test: 'scripts/test.ts', title: "check('lint', bin('biome')", commands: ['npm run check'] },
  { test: 'scripts/test.ts', title: "check('prose', process.execPath", commands: ['npm run prose'] },
  {
    test: 'scripts/test.ts',
    title: "vitest('gateway')",
    commands: ['npx vitest run --project gateway test/requirements.test.ts'],
  },
  {
    test: 'scripts/test.ts',
    title: "'scripts/requirements.ts',",
    commands: ['npm run requirements -- --break 30 --seed 7'],
  },
  { test: 'scripts/test.ts', title: "'scripts/mutants.ts'", commands: ['npm run mutants -- --changed'] },
  {
    test: 'scripts/grafana/check-boards.test.ts',
    title: 'all boards come into one folder, and every panel is queried with no variable left over',
    commands: [
      'npm run grafana:check',
      'npm run grafana:check -- --url http://127.0.0.1:3000 --token-file token.txt',
    ],
  },
  {
    test: 'xk6/e2e/run_test.go',
    title: 'exec.Command("go", "build"',
    commands: ['go build -o ../.cache/own-k6 ./cmd/k6'],
  },
  {
    test: 'xk6/e2e/extension_test.go',
    title: 'func TestTheExampleOfStreamsMeasuresEach(',
    commands: ['URL=http://127.0.0.1:8000/v1 MODEL=m k6 run examples/streams.ts'],
  },
];

/** Commands that no test runs: why not, and the test that looks at each as far as it goes. */
export const NOT_RUN: readonly (ByTest & { readonly why: string })[] = [
  {
    why: 'it runs the checks of the project, which a test can\u2019t, and builds for minutes: its parts are tested',
    test: 'scripts/release/release.test.ts',
    title: 'without --dry-run it says where publishing is done, and does nothing',
    commands: ['npm run release -- --dry-run'],
  },
  {
    why: 'xk6 is not among what the tests install: they make the same main module by hand',
    test: 'xk6/e2e/extension_test.go',
    title: 'func TestAK6ThatABuilderLinksHoldsTheWholeExtension(',
    commands: ['xk6 build v2.2.0 --with weighbridge.dev/xk6=./xk6'],
  },
  {
    why: 'it changes the system as root and starts services: the same lines go to a folder in place of the system, and nothing is started',
    test: 'test/page-commands.test.ts',
    title: 'docs/scheduled-runs.md: the units go where the page puts them, hold there, and can be enabled',
    commands: [
      'sudo cp deploy/scheduled/systemd/weighbridge-*.service deploy/scheduled/systemd/weighbridge-*.timer /etc/systemd/system/',
      'sudo systemctl enable --now weighbridge-audit.timer weighbridge-reconcile.timer weighbridge-month.timer',
      'sudo systemctl enable --now weighbridge-run.timer',
    ],
  },
  {
    why: 'it serves until it is stopped: here it reads the same flags and ends; remote-write.test.ts and live-alerts.test.ts run it',
    test: 'test/page-commands.test.ts',
    title:
      'docs/dashboards.md: the lines for Prometheus make a configuration that it takes, and flags that it has',
    commands: [
      'prometheus --config.file=prometheus-local.yml --web.enable-remote-write-receiver --enable-feature=exemplar-storage,native-histograms',
    ],
  },
  {
    why: 'it takes as long as all other commands of the pages: the same tests are run on fewer rules, and the file is held against them',
    test: 'src/dashboards/cases/rule-cases.test.ts',
    title: 'promtool test rules step-%s.test.yml',
    commands: ['promtool test rules dashboards/rules/tests/step-30s.test.yml'],
  },
  {
    why: 'no container runtime where the tests run',
    test: 'src/dashboards/provisioning.test.ts',
    title: 'all that compose mounts exists, and no port is open beyond this machine',
    commands: ['docker compose -f deploy/compose.yaml up --build'],
  },
  {
    why: 'no container runtime where the tests run: they carry out the lines of the Dockerfile, and run the commands as a container would',
    test: 'test/image.test.ts',
    title: 'docs/install.md: an audit, its forms, a run and what is due, from the image alone',
    commands: [
      'docker build -f deploy/Dockerfile -t weighbridge .',
      'docker run --rm -v weighbridge:/var/lib/weighbridge --read-only --tmpfs /tmp weighbridge audit',
    ],
  },
  {
    why: 'no cluster where the tests run: files, keys and names are held to what the command writes',
    test: 'test/kubernetes.test.ts',
    title: 'docs/kubernetes.md: what kubectl is given are files, keys and names of the manifests',
    commands: [
      'kubectl create secret generic weighbridge-credentials --from-file=api-key=key.txt',
      'kubectl apply -k k8s --dry-run=server',
      'kubectl apply -k k8s',
      'kubectl get testruns,jobs,pods',
      'kubectl logs job/weighbridge-20261121t180049z-8084-audit',
      'kubectl apply -f k8s/volume-pod.yaml',
      'kubectl wait --for=condition=Ready pod/weighbridge-20261121t180049z-8084-volume',
      'kubectl cp weighbridge-20261121t180049z-8084-volume:/var/lib/weighbridge/reports/20261121T180049Z-8084 reports/20261121T180049Z-8084',
      'kubectl delete pod weighbridge-20261121t180049z-8084-volume',
      'kubectl delete testrun weighbridge-20261121t180049z-8084',
      'kubectl get jobs',
    ],
  },
  {
    why: 'no service manager runs where the tests run; the unit is one of ours',
    test: 'test/page-commands.test.ts',
    title: 'docs/scheduled-runs.md: the units go where the page puts them, hold there, and can be enabled',
    commands: ['systemctl status weighbridge-audit'],
  },
  {
    why: 'it is what runs the tests, or a part of them',
    test: 'test/page-commands.test.ts',
    title: 'CONTRIBUTING.md: scripts and tests that are named exist',
    commands: [
      'npm run test:fast',
      'npm test',
      'npm run nightly',
      'npm run mutate -- --sample 200 --seed 1',
      'npx vitest run --project unit src/measure',
      'npx vitest run --project e2e test/e2e/kill-9.test.ts',
    ],
  },
  {
    why: 'it clones and sets up the project anew, minutes and a network; the commands that it takes from the README are tested',
    test: 'scripts/first-minutes/first-commands.test.ts',
    title: 'the first chapters show commands, of which none asks for a gateway that is not there',
    commands: ['npm run first-minutes'],
  },
  {
    why: '281 breaks take minutes, one breaks what the thirty of npm test do: the program reads the flags here',
    test: 'test/page-commands.test.ts',
    title: 'docs/requirements.md: the flags that are shown are read by the program',
    commands: [
      'npm run requirements -- --break all',
      'npm run requirements -- --only page.limit',
      'npm run requirements -- --only',
    ],
  },
  {
    why: 'a bench takes minutes to hours, and no test asserts a speed: flags are read as the bench reads them',
    test: 'test/page-commands.test.ts',
    title: 'docs/bench.md: the benches take the flags that are shown, and none that is not',
    commands: [
      'npm run bench:gateway',
      'npm run bench:engine',
      'npm run bench:engine -- [--quick] [--only SUITE,…] [--reps N] [--levels 500,1000] [--clients floor,ours] [--peers none|aiperf] [--k6 PATH] [--profile]',
      'npm run bench:peers',
      'npm run bench:peers -- [--rounds 3] [--only vegeta,Locust] [--render]',
      'npm run bench:audit',
      'npm run bench:audit -- [--quick] [--seeds 5] [--readings own,…] [--classes duplicate_charge,…] [--instances 2] [--honest 20] [--lanes 2] [--json] [--abroad 300] [--abroad-seed 1]',
      'npm run bench:reconcile',
      'npm run bench:reconcile -- [--calls 1000000] [--rounds 3] [--memory 2000000000] [--peers none] [--dir DIR]',
      'npm run bench:reader',
      'npm run bench:reader -- [records …]',
      'npm run bench:record -- [rounds]',
      'npm run bench:record -- 2000',
      'npm run bench:probe -- [--quick] [--seconds 120] [--only errors,levels,memory] [--runs 100000]',
      'npm run bench:probe -- --only errors,levels',
      'node --expose-gc bench/gateway/books.ts',
      'go test -bench Lines ./ledger',
    ],
  },
  {
    why: 'it builds for six systems, each twice, for an hour; the test builds one of them',
    test: 'test/package.test.ts',
    title: 'holds the binary whose SHA-256 the main package was packed with',
    commands: ['npm run build:engines'],
  },
  {
    why: 'bench:peers runs it against the gateway that it starts, for minutes: the table shows the commands of the stored results',
    test: 'bench/peers/peers-table.test.ts',
    title:
      'every figure stands under version, machine, date and command; a tool that could not be had gives its reason',
    commands: [
      'node bin/weighbridge.mjs run --target $URL --config $OUT/weighbridge.yaml --max-spend-usd 50 --out $OUT/out --state $OUT/state --json',
      'k6 run --quiet --no-usage-report --summary-mode=disabled --out weighbridge=$OUT/calls $OUT/mixed.js',
      'k6 run --quiet --no-usage-report --out weighbridge=$OUT/calls bench/peers/scripts/stock.ts',
    ],
  },
  {
    why: 'it repeats the plan of a run, which audits of a configuration do: the report shows the command with what it needs',
    test: 'src/report/sections/repeat-section.test.ts',
    title: 'repeats the calls with the configuration of the run folder alone on the embedded gateway',
    commands: ['weighbridge audit --config reports/<run>/config.yaml'],
  },
];

/** What stands in a sentence for a command in general, and is held against the commands that there are. */
export const STANDS_FOR = [
  'npx node bin/weighbridge.mjs',
  'npx node bin/weighbridge.mjs <command>',
  'npx node',
  'npx --no-install weighbridge',
] as const;

/** Blocks of a page that are no commands: how many, and the test that makes or reads each, or why there is none. */
interface ShownBlocks {
  readonly page: string;
  readonly blocks: number;
  readonly test: string;
  readonly title: string;
}

export const TEXTS: readonly ShownBlocks[] = [
  {
    page: 'docs/first-audit.md',
    blocks: 1,
    test: 'test/sample-report.test.ts',
    title: 'docs/first-audit.md shows the verdict of the sample run, word for word',
  },
  {
    page: 'examples/README.md',
    blocks: 3,
    test: 'test/examples.test.ts',
    title: 'the commands of the page print what stands under them',
  },
  {
    page: 'docs/cache.md',
    blocks: 1,
    test: 'test/e2e/cache-owed.test.ts',
    title: 'the discount of withheld hits is the journal’s to the digit, and no finding: %j',
  },
  {
    page: 'docs/cache.md',
    blocks: 2,
    test: 'test/page-texts.test.ts',
    title: 'docs/%s: the configuration with %s holds',
  },
  {
    page: 'docs/capacity.md',
    blocks: 1,
    test: 'test/page-texts.test.ts',
    title: 'docs/%s: the configuration with %s holds',
  },
  {
    page: 'docs/chain.md',
    blocks: 1,
    test: 'test/chain-page.test.ts',
    title: 'every command of the page runs as shown, and says what is shown',
  },
  {
    page: 'docs/claim-reference.md',
    blocks: 1,
    test: 'test/e2e/claims-page.test.ts',
    title: 'every command of the pages runs as shown, and says what is shown',
  },
  {
    page: 'docs/claims.md',
    blocks: 1,
    test: 'test/e2e/claims-page.test.ts',
    title: 'every command of the pages runs as shown, and says what is shown',
  },
  {
    page: 'docs/compare.md',
    blocks: 1,
    test: 'src/app/compare/compare-runs.test.ts',
    title:
      '--compare tells, as docs/compare.md shows it, by what two runs differ, for people and for programs',
  },
  {
    page: 'docs/dashboards.md',
    blocks: 1,
    test: 'test/page-texts.test.ts',
    title: 'docs/%s: the configuration with %s holds',
  },
  {
    page: 'docs/dashboards.md',
    blocks: 1,
    test: 'test/page-texts.test.ts',
    title:
      'docs/dashboards.md: the example for Alertmanager names alerts, severities and receivers that there are',
  },
  {
    page: 'docs/github-action.md',
    blocks: 1,
    test: 'test/github-action.test.ts',
    title: 'docs/github-action.md names the inputs that there are, in its table and in its example',
  },
  {
    page: 'docs/evidence.md',
    blocks: 1,
    test: 'test/sdk/record.test.ts',
    title: 'the example of the page records its call',
  },
  {
    page: 'docs/evidence.md',
    blocks: 2,
    test: 'src/ledger/evidence/read-evidence.test.ts',
    title: 'its lines and its mapping can be read',
  },
  {
    page: 'docs/findings.md',
    blocks: 1,
    test: 'test/docs.test.ts',
    title: 'docs/findings.md: the acceptance of the page is one that a configuration takes',
  },
  {
    page: 'docs/gateway.md',
    blocks: 2,
    test: 'test/docs.test.ts',
    title: 'every plan that is shown can be read',
  },
  {
    page: 'docs/gateway.md',
    blocks: 2,
    test: 'test/page-texts.test.ts',
    title: 'docs/gateway.md: the readings and the fault header that are shown can be read',
  },
  {
    page: 'docs/gateway.md',
    blocks: 2,
    test: 'test/docs.test.ts',
    title: 'the gateway of the page: ready line, journal lines and every control call work as shown',
  },
  {
    page: 'docs/ledger-format.md',
    blocks: 1,
    test: 'test/page-texts.test.ts',
    title: 'docs/ledger-format.md: the text of an answer that is shown is one that the reader takes',
  },
  {
    page: 'docs/live-view.md',
    blocks: 1,
    test: 'test/page-texts.test.ts',
    title: 'docs/live-view.md: the frame is what a terminal of 110 columns gets for these figures',
  },
  {
    page: 'docs/load.md',
    blocks: 19,
    test: 'test/load-docs.test.ts',
    title: 'is planned as the page says: $lines.0',
  },
  {
    page: 'docs/load.md',
    blocks: 1,
    test: 'test/examples.test.ts',
    title: 'the trace of docs/load.md is planned as the page says',
  },
  {
    page: 'docs/monitoring.md',
    blocks: 4,
    test: 'src/cli/commands/probe.test.ts',
    title: 'every configuration that the page shows holds',
  },
  {
    page: 'docs/network.md',
    blocks: 1,
    test: 'test/e2e/readme-commands.test.ts',
    title: 'the lines of docs/scripts.md for a script run by hand, and those that push it to Prometheus',
  },
  {
    page: 'docs/price-lists.md',
    blocks: 3,
    test: 'test/page-commands.test.ts',
    title: 'docs/price-lists.md: the list of the page is read in full, and used by a plan',
  },
  {
    page: 'docs/price-lists.md',
    blocks: 1,
    test: 'test/page-texts.test.ts',
    title: 'docs/%s: the configuration with %s holds',
  },
  {
    page: 'docs/pricebooks.md',
    blocks: 3,
    test: 'test/page-texts.test.ts',
    title: 'docs/pricebooks.md: the lists and the mapping that are shown can be read in full',
  },
  {
    page: 'docs/pricebooks.md',
    blocks: 4,
    test: 'test/page-texts.test.ts',
    title: 'docs/pricebooks.md: each example of a mapping reads the book above it in full',
  },
  {
    page: 'docs/pricebooks.md',
    blocks: 1,
    test: 'test/page-texts.test.ts',
    title: 'docs/%s: the configuration with %s holds',
  },
  {
    page: 'docs/bills.md',
    blocks: 1,
    test: 'src/cli/commands/reconcile-bill.test.ts',
    title: 'every command of docs/bills.md runs as shown, and says what is shown',
  },
  {
    page: 'docs/bills.md',
    blocks: 1,
    test: 'src/cli/commands/reconcile-bill.test.ts',
    title: 'the mapping of docs/bills.md reads its rows',
  },
  {
    page: 'docs/reconcile.md',
    blocks: 1,
    test: 'test/e2e/audit-month.test.ts',
    title: 'a month of an honest gateway: nothing but a key, exit 0, read once more into the same folder',
  },
  {
    page: 'docs/records.md',
    blocks: 1,
    test: 'src/app/evidence/mapped-record.test.ts',
    title: 'the mapping of the page reads a row, also one of a table with empty cells',
  },
  {
    page: 'docs/records.md',
    blocks: 2,
    test: 'src/app/evidence/mapped-record.test.ts',
    title: 'the line of SQL and the callback of the page are those that the mapping and the example have',
  },
  {
    page: 'docs/releasing.md',
    blocks: 1,
    test: 'scripts/release/release.test.ts',
    title: 'is entered in the registry of k6 by the names that it registers, as docs/releasing.md says',
  },
  {
    page: 'xk6/README.md',
    blocks: 1,
    test: 'xk6/e2e/extension_test.go',
    title: 'func TestTheScriptOfTheReadmeRuns(',
  },
  {
    page: 'docs/report-format.md',
    blocks: 1,
    test: 'test/page-texts.test.ts',
    title: 'docs/report-format.md: the account statement that is shown can be read',
  },
  {
    page: 'docs/requirements.md',
    blocks: 1,
    test: 'test/page-texts.test.ts',
    title: 'docs/requirements.md: the lines of the breaks say what these breaks do',
  },
  {
    page: 'docs/scripts.md',
    blocks: 1,
    test: 'xk6/e2e/docs_test.go',
    title: 'func TestTheScriptOfTheDocsRunsAsShown(',
  },
  {
    page: 'docs/spend.md',
    blocks: 1,
    test: 'test/e2e/limits.test.ts',
    title: 'a cap of one scenario stops it alone; the run goes on and ends 6',
  },
  {
    page: 'docs/third-party-licences.md',
    blocks: 1,
    test: 'scripts/licences/licences.test.ts',
    title: 'the page holds the whole notice of the code that a report passes on',
  },
];

/** Drawings and a formula, by their first line: no output, and nothing to read. */
export const DRAWN: readonly string[] = [
  'call ─────▶ record ─────▶ price ─────▶ verdict',
  'plan ──plan.json──▶ drive ──k6──▶ calls/*.ndjson ─┬─▶ measure ───┐',
  'input price × (bytes of the prompt + 1024) + output price × most output tokens + fixed price',
];
