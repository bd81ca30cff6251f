"""The HTTP surface: OpenAI's chat completions, our runs, and what tells clients about them."""
