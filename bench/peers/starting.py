"""How each peer is started, and told where the scripted model is."""

import json
from collections.abc import Mapping
from pathlib import Path

import msgspec

from bench.peers.environments import program

KEY = "bench-key-0123456789abcdef"


class Command(msgspec.Struct, frozen=True):
    """A command line and its environment; `{port}` in either stands for the port."""

    line: list[str]
    settings: Mapping[str, str] = {}
    health: str = "/health"

    def on(self, port: int) -> "Command":
        settings = {name: _with(value, port) for name, value in self.settings.items()}
        return Command([_with(word, port) for word in self.line], settings, self.health)


def _with(text: str, port: int) -> str:
    return text.replace("{port}", str(port))


def command(name: str, base_url: str, home: Path) -> Command:
    return _STARTING[name](base_url, home)


def _agents(base_url: str, _home: Path) -> Command:
    return _minimal("openai-agents", "bench.peers.agents", base_url)


def _pydantic(base_url: str, _home: Path) -> Command:
    return _minimal("pydantic-ai", "bench.peers.pydantic", base_url)


def _minimal(name: str, module: str, base_url: str) -> Command:
    line = [str(program(name)), "-m", module, "--port={port}", f"--base-url={base_url}"]
    return Command(line, {"OPENAI_API_KEY": KEY})


def _litellm(base_url: str, home: Path) -> Command:
    model = {"model": "openai/bench", "api_base": base_url, "api_key": KEY}
    config = {"model_list": [{"model_name": "angelia", "litellm_params": model}]}
    path = home / "litellm.yaml"
    path.write_text(json.dumps(config))
    line = [str(program("litellm", "litellm")), "--config", str(path)]
    here = ["--host", "127.0.0.1", "--port", "{port}", "--num_workers", "1"]
    return Command([*line, *here], {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}, "/health/liveliness")


def _langgraph(base_url: str, home: Path) -> Command:
    graph = Path(__file__).parent / "graph.py"
    config = {"dependencies": [str(graph.parent)], "graphs": {"agent": f"{graph}:graph"}}
    path = home / "langgraph.json"
    path.write_text(json.dumps(config))
    line = [str(program("langgraph", "langgraph")), "dev", "--config", str(path), "--no-browser"]
    here = ["--host", "127.0.0.1", "--port", "{port}", "--no-reload", "--n-jobs-per-worker", "200"]
    settings = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": base_url, "LANGSMITH_TRACING": "false"}
    return Command([*line, *here], settings, "/ok")


def _hermes(base_url: str, home: Path) -> Command:
    raise NotImplementedError


_STARTING = {
    "openai-agents": _agents,
    "pydantic-ai": _pydantic,
    "litellm": _litellm,
    "langgraph": _langgraph,
    "hermes": _hermes,
}
