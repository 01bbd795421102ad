#!/bin/sh
# The place of agent-brain's dispatcher: the same call, the same folder, answered by brain.
#
# Data lies in MEMORY_DIR (else ../memory beside this script), as memory.db, or as memory.json when
# AGENT_BRAIN_BACKEND is json. The program is PLAINBRAIN_BIN, else brain beside this script, in ../.venv, or
# on the PATH.

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
: "${MEMORY_DIR:=$here/../memory}"
export MEMORY_DIR

case ${AGENT_BRAIN_BACKEND:-} in
    [jJ][sS][oO][nN]) store=json:$MEMORY_DIR/memory.json ;;
    *) store=sqlite:$MEMORY_DIR/memory.db ;;
esac

# The env file is read, never run, and only for this one key.
read_key() {
    while IFS=" 	" read -r line || [ -n "$line" ]; do
        line=${line%"$(printf '\r')"}
        case $line in
            "export SUPERMEMORY_API_KEY="*) value=${line#"export SUPERMEMORY_API_KEY="} ;;
            SUPERMEMORY_API_KEY=*) value=${line#SUPERMEMORY_API_KEY=} ;;
            *) continue ;;
        esac
        case $value in
            \"*\") value=${value#\"} value=${value%\"} ;;
            \'*\') value=${value#\'} value=${value%\'} ;;
        esac
        SUPERMEMORY_API_KEY=$value
        export SUPERMEMORY_API_KEY
        return
    done
}
file=${AGENT_BRAIN_ENV_FILE:-$here/../.env}
if [ -z "${SUPERMEMORY_API_KEY:-}" ] && [ -f "$file" ] && [ -r "$file" ]; then
    read_key <"$file"
fi

if [ -n "${PLAINBRAIN_BIN:-}" ]; then
    brain=$PLAINBRAIN_BIN
elif [ -x "$here/brain" ]; then
    brain=$here/brain
elif [ -x "$here/../.venv/bin/brain" ]; then
    brain=$here/../.venv/bin/brain
elif brain=$(command -v brain); then
    :
else
    echo "memory.sh: brain is not installed: pip install plainbrain, or set PLAINBRAIN_BIN" >&2
    exit 127
fi

# The store is named on the command line, so that no other setting comes before it.
case ${1:-} in
    '' | -* | help | completion) exec "$brain" "$@" ;;
esac
command=$1
shift
exec "$brain" "$command" --store "$store" "$@"
