"""OpenAI Responses, both halves."""
