"""The CognitiveMemory library: cognitive-memory's engine over any store."""
