#!/bin/sh
# Hold the MCP server to the official conformance suite and list and call its tools with the MCP Inspector.
#
# Needs npm and a package registry; installs into a temporary folder, or into FOLDER when that is set.
# Usage: scripts/conformance.sh [SCENARIO...]
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
folder=${FOLDER:-$(mktemp -d)}
brain=${BRAIN:-$here/.venv/bin/brain}
scenarios=${*:-server-initialize ping tools-list resources-list prompts-list server-sse-multiple-streams dns-rebinding-protection}

if [ ! -d "$folder/node_modules/@modelcontextprotocol/conformance" ]; then
  (cd "$folder" && npm init -y >/dev/null && npm install --silent --no-audit --no-fund node@22 \
    @modelcontextprotocol/conformance @modelcontextprotocol/inspector)
fi
PATH="$folder/node_modules/node/bin:$folder/node_modules/.bin:$PATH"
export PATH
node --version

work=$(mktemp -d)
cp -R "$here/examples/brain" "$work/brain"
: >"$work/config.toml"
BRAIN_CACHE="$work/cache" XDG_STATE_HOME="$work/state" BRAIN_CONFIG="$work/config.toml" BRAIN_DIR="$work/brain"
export BRAIN_CACHE XDG_STATE_HOME BRAIN_CONFIG BRAIN_DIR

# The suite knows no token, so this one server goes without; the door is tested in tests/mcp/test_http.py.
"$brain" mcp --http --port 0 --no-auth >"$work/url" 2>"$work/log" &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
while [ ! -s "$work/url" ] && kill -0 "$server"; do sleep 0.1; done
url=$(cat "$work/url")

failed=0
for scenario in $scenarios; do
  if (cd "$work" && conformance server --url "$url" --scenario "$scenario") >"$work/out" 2>&1; then
    echo "ok    $scenario"
  else
    echo "FAIL  $scenario"
    cat "$work/out"
    failed=1
  fi
done

inspect() { mcp-inspector --cli "$brain" mcp --store "vault:$work/brain" "$@"; }
inspect --method tools/list | grep -c '"name": "brain_' | grep -qx 8 && echo "ok    inspector lists eight tools" || failed=1
inspect --method tools/call --tool-name brain_search --tool-arg query=firestore --tool-arg k=1 |
  grep -q firestore-region-europe && echo "ok    inspector calls brain_search" || failed=1
exit $failed
