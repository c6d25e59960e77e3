#!/usr/bin/env bash
# Makes the folders anew with the version of the clone CLONE, in the empty folder PLACE: make.sh CLONE PLACE
set -euo pipefail
clone=$(realpath "$1") here=$(realpath "$(dirname "$0")")
mkdir -p "$2" && cd "$2"
weighbridge() { node "$clone/bin/weighbridge.mjs" "$@"; }
cp "$here"/*.yaml .

serve() {
  rm -f ready.json
  node "$clone/bin/weighbridge.mjs" gateway --port 19191 --seed 5 --latency fast --data gateway --json "$@" \
    >ready.json 2>gateway.log &
  gateway=$!
  until [ -s ready.json ]; do sleep 0.1 && kill -0 $gateway; done
  node -p 'JSON.parse(fs.readFileSync("ready.json")).api_key' >api-key && chmod 600 api-key
}
export WEIGHBRIDGE_API_KEY_FILE=$PWD/api-key

serve --faults faults.yaml
trap 'kill $gateway' EXIT
weighbridge audit --every 24h --seed 1 --nonce kept-1 --max-spend-usd 20 --json >audit-1.json || echo "ended with $?"
faulty=$(node -p 'JSON.parse(fs.readFileSync("audit-1.json","utf8").trim().split("\n").at(-1)).run_id')
weighbridge report --run "$faulty" --bundle --json >bundle.json || echo "ended with $?"
kill $gateway && wait $gateway || true
serve
weighbridge audit --every 24h --seed 1 --nonce kept-2 --max-spend-usd 20 \
  --baseline "$faulty" --max-regression e2e_p95=10000% --json >audit-2.json || echo "ended with $?"
weighbridge reconcile --from 2026-01-01T00:00:00Z --to "$(date -u +%Y-%m-%dT%H:%M:%SZ)" \
  --target http://127.0.0.1:19191 --json >period.json || echo "ended with $?"
kill $gateway && trap - EXIT
