"""`angelia models` as a process, with real providers on this machine."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.support.process import clean_env, free_port
from tests.support.server import UpstreamProcess


def models(
    folder: Path, settings: str, *arguments: str, ports: str = "", **env: str
) -> subprocess.CompletedProcess[str]:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    (home / "angelia.toml").write_text(settings)
    return subprocess.run(
        [sys.executable, "-m", "angelia", "models", "--local-ports", ports, *arguments],
        env=clean_env(folder, {"ANGELIA_HOME": str(home), "COLUMNS": "80", **env}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def chain(here: str, there: str) -> str:
    return f"""
        [providers.here]
        base_url = "{here}"
        [providers.there]
        base_url = "{there}"
        keys = ["sk-there-0123456789abcdef"]
        [models.scripted]
        provider = "here"
        context_tokens = 32768
        price = {{ input = 1.25, output = 10 }}
        [models.other]
        provider = "here"
        name = "not-there"
        [models.gone]
        provider = "there"
        [agent]
        model = "gone"
        fallback = ["scripted"]
    """


def listed(ran: subprocess.CompletedProcess[str]) -> tuple[dict[str, Any], dict[str, str]]:
    report = msgspec.json.decode(ran.stdout)
    return report, {model["name"]: model["state"] for model in report["models"]}


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_a_key_in_an_address_is_not_shown(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    settings = f"""
        [providers.there]
        base_url = "http://127.0.0.1:{free_port()}/v1?code=quite-secret"
        [models.gone]
        provider = "there"
    """
    ran = models(tmp_path, settings, *arguments)
    assert "127.0.0.1" in ran.stdout
    assert "quite-secret" not in ran.stdout + ran.stderr


def test_it_says_of_every_model_whether_it_answers(
    tmp_path: Path, upstream_server: UpstreamProcess
) -> None:
    silent = f"http://127.0.0.1:{free_port()}/v1"
    ran = models(tmp_path, chain(upstream_server.url, silent), "--json")
    report, states = listed(ran)
    assert (ran.returncode, report["ok"], report["demo"]) == (0, True, False)
    assert states == {"scripted": "ready", "other": "unlisted", "gone": "silent"}
    first = report["models"][0]
    assert (first["context_tokens"], first["price"]["output"]) == (32768, 10)
    assert (first["address"], first["agents"]) == (upstream_server.url, ["angelia"])
    assert "sk-there" not in ran.stdout


def test_people_read_the_same(tmp_path: Path, upstream_server: UpstreamProcess) -> None:
    silent = f"http://127.0.0.1:{free_port()}/v1"
    ran = models(tmp_path, chain(upstream_server.url, silent))
    text = " ".join(ran.stdout.split())
    assert f"scripted at {upstream_server.url}" in text
    assert "reads 32,768 tokens, 1.25 in, 10 out per million" in text
    assert "does not list this model" in text
    assert "asked by no agent" in text
    assert "Nobody answers at" in text
    assert "✓ The default agent has a model that answers." in text


def test_a_chain_in_which_nobody_answers_is_a_failure(
    tmp_path: Path, upstream_server: UpstreamProcess
) -> None:
    silent = f"http://127.0.0.1:{free_port()}/v1"
    settings = chain(upstream_server.url, silent).replace('fallback = ["scripted"]', "")
    ran = models(tmp_path, settings)
    assert ran.returncode == 1
    assert "No model of the default agent answers." in ran.stdout


def test_an_address_without_a_list_answers_all_the_same(
    tmp_path: Path, upstream_server: UpstreamProcess
) -> None:
    where = f'[model]\nbase_url = "{upstream_server.url}/elsewhere/v1"'
    ran = models(tmp_path, where, "--json")
    assert (ran.returncode, listed(ran)[1]) == (0, {"default": "unlisted"})


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/v1"])
def test_offline_nobody_is_asked(tmp_path: Path, address: str) -> None:
    ran = models(tmp_path, f'[model]\nbase_url = "{address}"', "--offline")
    assert ran.returncode == 0
    assert "not asked" in ran.stdout
    assert listed(models(tmp_path, f'[model]\nbase_url = "{address}"', "--offline", "--json"))[
        1
    ] == {"default": "unasked"}


def test_servers_that_are_not_configured_are_found(
    tmp_path: Path, upstream_server: UpstreamProcess
) -> None:
    ports = f"{upstream_server.port},{free_port()}"
    report, _ = listed(models(tmp_path, "", "--json", ports=ports))
    assert (report["ok"], report["demo"]) == (True, True)
    assert [found["base_url"] for found in report["found"]] == [upstream_server.url]
    assert "angelia setup adds one of them" in models(tmp_path, "", ports=ports).stdout
    known = f'[model]\nbase_url = "{upstream_server.url}"'
    assert listed(models(tmp_path, known, "--json", ports=ports))[0]["found"] == []


def test_it_is_readable_in_a_narrow_terminal(
    tmp_path: Path, upstream_server: UpstreamProcess
) -> None:
    ran = models(tmp_path, chain(upstream_server.url, upstream_server.url), COLUMNS="40")
    assert ran.returncode == 0
    assert max(map(len, ran.stdout.splitlines())) <= 40
