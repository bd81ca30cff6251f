"""OpenAI Responses, both halves: `client` where we call it, `server` where we are called."""
