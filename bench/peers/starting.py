"""How each peer is started, and told where the scripted model is."""

import json
from pathlib import Path

import msgspec

from bench.peers.environments import program

KEY = "bench-key-0123456789abcdef"
# Who heeds these variables sends nothing elsewhere; reports home would be part of what a run costs.
_NOWHERE = "http://127.0.0.1:9"
_KEPT_IN = {
    "HTTP_PROXY": _NOWHERE,
    "HTTPS_PROXY": _NOWHERE,
    "NO_PROXY": "127.0.0.1,localhost",
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
}


class Command(msgspec.Struct, frozen=True):
    """A command line and its environment; `{port}` in either stands for the port."""

    line: list[str]
    settings: dict[str, str] = {}
    health: str = "/health"

    def on(self, port: int) -> "Command":
        settings = {name: _with(value, port) for name, value in self.settings.items()}
        return Command([_with(word, port) for word in self.line], settings, self.health)


def _with(text: str, port: int) -> str:
    return text.replace("{port}", str(port))


def command(name: str, base_url: str, home: Path) -> Command:
    found = _STARTING[name](base_url, home)
    return msgspec.structs.replace(found, settings=_KEPT_IN | found.settings)


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
    settings = {"LITELLM_MASTER_KEY": KEY, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    return Command([*line, *here], settings, "/health/liveliness")


def _langgraph(base_url: str, home: Path) -> Command:
    graph = Path(__file__).parent / "graph.py"
    config = {"dependencies": [str(graph.parent)], "graphs": {"agent": f"{graph}:graph"}}
    path = home / "langgraph.json"
    path.write_text(json.dumps(config))
    line = [str(program("langgraph", "langgraph")), "dev", "--config", str(path), "--no-browser"]
    here = ["--host", "127.0.0.1", "--port", "{port}", "--no-reload"]
    more = ["--n-jobs-per-worker", "200", "--server-log-level", "warning"]
    settings = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": base_url, "LOG_LEVEL": "WARNING"}
    return Command([*line, *here, *more], settings | {"LANGSMITH_TRACING": "false"}, "/ok")


def _hermes(base_url: str, home: Path) -> Command:
    """With its cap on runs lifted, nobody to approve, and its tool a plain process."""
    model = {"default": "bench", "provider": "custom", "base_url": base_url, "api_key": KEY}
    config = {
        "model": model | {"context_length": 200_000},
        "terminal": {"backend": "local"},
        "approvals": {"mode": "off"},
        "gateway": {"api_server": {"max_concurrent_runs": 0}},
    }
    (home / "config.yaml").write_text(json.dumps(config))
    settings = {
        "HERMES_HOME": str(home),
        "API_SERVER_ENABLED": "true",
        "API_SERVER_KEY": KEY,
        "API_SERVER_HOST": "127.0.0.1",
        "API_SERVER_PORT": "{port}",
        "OPENAI_API_KEY": KEY,
    }
    return Command([str(program("hermes", "hermes")), "gateway", "run"], settings)


_STARTING = {
    "openai-agents": _agents,
    "pydantic-ai": _pydantic,
    "litellm": _litellm,
    "langgraph": _langgraph,
    "hermes": _hermes,
}
