"""What a message with `@` becomes."""

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from angelia.surfaces.cli.chat import attachments
from angelia.surfaces.cli.chat.attachments import IMAGE_BYTES, TEXT_BYTES, attached
from angelia.wire.runs.request import parse_create

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 20
STARTS = {
    "png": PNG,
    "jpeg": b"\xff\xd8\xff\xe0" + b"\x00" * 20,
    "gif": b"GIF89a" + b"\x00" * 20,
    "webp": b"RIFF\x10\x00\x00\x00WEBPVP8 ",
}


def parts(text: str, folder: Path) -> list[dict[str, Any]]:
    return msgspec.to_builtins(attached(text, folder).input)[0]["content"]


def test_a_text_follows_the_message_in_a_fence(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("print(1)\n")
    sent = attached("Look at @a.py, please.", tmp_path)
    assert sent.input == "Look at @a.py, please.\n\na.py:\n\n```py\nprint(1)\n```"
    assert sent.notes == ("a.py: sent along (9 B)",)


def test_a_fence_inside_a_file_does_not_end_its_block(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("````\ncode\n````")
    assert str(attached("@a.md", tmp_path).input).endswith("`````md\n````\ncode\n````\n`````")


def test_names_with_spaces_stand_in_quotes(tmp_path: Path) -> None:
    (tmp_path / "my notes.txt").write_text("tea")
    assert "tea" in attached('Read @"my notes.txt"!', tmp_path).input


def test_a_path_may_begin_at_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a.txt").write_text("from home")
    assert "from home" in attached("@~/a.txt", tmp_path / "elsewhere").input
    assert "from home" in attached(f"@{tmp_path}/a.txt", tmp_path / "elsewhere").input


@pytest.mark.parametrize("kind", STARTS)
def test_an_image_is_known_by_its_content(tmp_path: Path, kind: str) -> None:
    (tmp_path / "picture").write_bytes(STARTS[kind])
    text, image = parts("What is @picture", tmp_path)
    assert text == {"type": "text", "text": "What is @picture"}
    assert image["image_url"]["url"].startswith(f"data:image/{kind};base64,")
    body = msgspec.json.encode({"input": attached("What is @picture", tmp_path).input})
    assert len(parse_create(body).messages[0].parts) == 2


def test_texts_and_images_go_together(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("words")
    (tmp_path / "b.png").write_bytes(PNG)
    text, image = parts("@b.png and @a.txt and @b.png", tmp_path)
    assert text["text"].endswith("a.txt:\n\n```txt\nwords\n```")
    assert image["type"] == "image_url"


def test_a_folder_is_a_list_of_names(tmp_path: Path) -> None:
    (tmp_path / "src" / "inner").mkdir(parents=True)
    (tmp_path / "src" / "a.py").touch()
    for text in ("@src", "@src/"):
        assert str(attached(text, tmp_path).input).endswith("src/:\n\n```\na.py\ninner/\n```")


def test_a_large_folder_is_cut(tmp_path: Path) -> None:
    for n in range(attachments.NAMES + 3):
        (tmp_path / f"{n:04}").touch()
    assert "… and 3 more" in attached("@.", tmp_path).input


@pytest.mark.parametrize("text", ["ask ann@example.org", "@ann said", "a@b", "@", "@@x", "3 @ 4"])
def test_what_is_no_file_stays_untouched(tmp_path: Path, text: str) -> None:
    (tmp_path / "example.org").write_text("not me")
    sent = attached(text, tmp_path)
    assert (sent.input, sent.notes) == (text, ())


def test_what_cannot_be_sent_is_said_and_stays_as_typed(tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text("a" * (TEXT_BYTES + 1))
    (tmp_path / "big.png").write_bytes(PNG + b"\x00" * IMAGE_BYTES)
    (tmp_path / "blob").write_bytes(b"ab\x00cd")
    (tmp_path / "latin").write_bytes("ä".encode("latin-1") * 5)
    os.mkfifo(tmp_path / "pipe")
    for name, why in {
        "big.txt": "a text may have 256 KB",
        "big.png": "an image may have 10.0 MB",
        "blob": "it is binary",
        "latin": "it is binary",
        "pipe": "neither a file nor a folder",
        "missing.txt": "there is no such file",
        "no/where": "there is no such file",
        "a\x00b.txt": "it cannot be read",
    }.items():
        sent = attached(f"@{name}", tmp_path)
        assert sent.input == f"@{name}"
        assert len(sent.notes) == 1
        assert why in sent.notes[0]


def test_a_text_of_exactly_the_size_is_sent(tmp_path: Path) -> None:
    (tmp_path / "full.txt").write_text("a" * TEXT_BYTES)
    assert attached("@full.txt", tmp_path).notes == ("full.txt: sent along (256 KB)",)
