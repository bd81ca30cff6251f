"""OpenAI Chat Completions: what we send and read upstream, and what we accept and serve."""
