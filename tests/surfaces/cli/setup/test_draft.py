import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from angelia.config import ConfigError, Secret
from angelia.surfaces.cli.setup.draft import (
    Draft,
    added,
    fitted,
    kept,
    own_name,
    settled,
    shown,
    whole,
)

HOME = Path("/home")
BOX = Draft("box", "http://box:1/v1", None, "qwen3:4b", "qwen3-4b")
OPENAI = Draft("openai", None, None, "gpt-5.4", "gpt-5.4", key_env="OPENAI_API_KEY")
ENVIRON = {"OPENAI_API_KEY": "sk", "ANGELIA_MODEL": "demo", "ANGELIA_BASE_URL": "http://other"}


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-5.4", "gpt-5.4"),
        ("qwen3:4b", "qwen3-4b"),
        ("org/model name", "org-model-name"),
        ("demo", "demo-2"),
        ("taken", "taken-3"),
        (":", "model"),
    ],
)
def test_a_model_gets_a_name_that_can_be_used(model: str, name: str) -> None:
    assert own_name(model, {"taken", "taken-2"}) == name


@pytest.mark.parametrize("draft", [BOX, OPENAI, replace(BOX, key=Secret("sk"), context_tokens=5)])
def test_what_is_written_asks_the_model_whatever_the_environment_says(draft: Draft) -> None:
    model = settled(whole(draft), draft, ENVIRON, HOME).chain[0]
    assert (model.name, model.model) == (draft.name, draft.model)
    assert model.provider.name == draft.provider
    assert model.context_tokens == draft.context_tokens


def test_what_is_shown_holds_no_key() -> None:
    draft = replace(BOX, key=Secret("sk-very-secret"))
    assert "sk-very-secret" in whole(draft)
    assert "sk-very-secret" not in shown(draft)
    assert "[models.qwen3-4b]" in shown(draft)


@given(st.text(min_size=1), st.text(min_size=1))
def test_any_name_of_a_model_and_any_key_can_be_written(model: str, key: str) -> None:
    draft = replace(BOX, model=model, name=own_name(model), key=Secret(key))
    try:
        chosen = settled(whole(draft), draft, {}, HOME).chain[0]
    except ConfigError:
        assert not key.strip()
        return
    assert (chosen.model, chosen.provider.keys) == (model, (Secret(key),))


# ── a file that is there ────────────────────────────────────────────────────────────────────

OLD = """\
# mine
[server]
port = 7 # seven

[agent] # the one
name = "boss"
model = "gpt-5.4"
max_steps = 3

[providers.openai]
key_envs = ["OPENAI_API_KEY"]

[models."gpt-5.4"]
provider = "openai"
"""


@pytest.mark.parametrize(
    "old",
    [
        "",
        "[server]\nport = 7",
        "[agent]",
        "[agent]\n[tools]\nsandbox = 'none'\n",
        '[agent]\nname = "boss"\n\n[model]\nbase_url = "http://x"\n',
        OLD,
    ],
)
@pytest.mark.parametrize("draft", [BOX, OPENAI])
def test_a_file_keeps_what_it_says_and_asks_the_new_model(old: str, draft: Draft) -> None:
    draft = fitted(draft, old)
    new = added(old, draft)
    assert kept(old, new, draft)
    assert settled(new, draft, ENVIRON, HOME).chain[0].model == draft.model


def test_comments_stay() -> None:
    new = added(OLD, fitted(BOX, OLD))
    assert new.startswith("# mine\n[server]\nport = 7 # seven\n\n[agent] # the one\nmodel = ")
    assert tomllib.loads(new)["agent"] == {"name": "boss", "model": "qwen3-4b", "max_steps": 3}


def test_what_is_there_already_is_not_written_again() -> None:
    draft = fitted(OPENAI, OLD)
    assert (draft.old_provider, draft.old_model) == (True, True)
    new = added(OLD, draft)
    assert tomllib.loads(new) == tomllib.loads(OLD)
    assert added(new, fitted(OPENAI, new)) == new


def test_a_provider_of_the_same_name_is_left_alone() -> None:
    draft = fitted(replace(OPENAI, key_env=None, key=Secret("sk")), OLD)
    assert (draft.provider, draft.base_url) == ("openai-2", "https://api.openai.com/v1")
    assert draft.name == "gpt-5.4-2"
    model = settled(added(OLD, draft), draft, ENVIRON, HOME).chain[0]
    assert model.provider.keys == (Secret("sk"),)


def test_a_loss_is_noticed() -> None:
    assert not kept(OLD, whole(BOX), BOX)


def test_text_that_asks_another_model_is_refused() -> None:
    with pytest.raises(ConfigError, match="does not ask it"):
        settled(OLD, BOX, ENVIRON, HOME)
