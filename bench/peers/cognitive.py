"""Lets cognitive-memory, which is a library, be spoken to as a server is. Run by the Python it is installed in; one argument: its file."""

import json
import sys

from cognitive_memory import JsonlFileAdapter, SyncCognitiveMemory  # type: ignore[import-not-found,unused-ignore]

memory = SyncCognitiveMemory(embedder="hash", adapter=JsonlFileAdapter(sys.argv[1]))
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    result = {}
    if asked["method"] == "tools/list":
        result = {"tools": [{"name": "add"}, {"name": "search"}]}
    elif asked["method"] == "tools/call":
        given = asked["params"]["arguments"]
        if asked["params"]["name"] == "add":
            memory.add(given["content"])
        else:
            result = {"found": [one.memory.content for one in memory.search(given["query"], top_k=10).results]}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
