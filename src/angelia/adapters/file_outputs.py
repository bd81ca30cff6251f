"""Whole tool outputs, one file each, in a folder per run."""

import asyncio
import os
import shutil
import tempfile
from hashlib import sha256
from pathlib import Path

from angelia.errors import StorageError


class FileOutputs:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, run_id: str, call_id: str, data: bytes) -> None:
        """Whole or not at all."""
        try:
            await asyncio.to_thread(_write, self._path(run_id, call_id), data)
        except OSError as error:
            raise StorageError(f"An output cannot be kept: {error}.") from error

    async def get(self, run_id: str, call_id: str, start: int, length: int) -> bytes | None:
        return await asyncio.to_thread(_read, self._path(run_id, call_id), start, length)

    async def delete(self, run_id: str) -> None:
        await asyncio.to_thread(shutil.rmtree, self._run_folder(run_id), ignore_errors=True)

    def _run_folder(self, run_id: str) -> Path:
        return self._folder / _name(run_id)

    def _path(self, run_id: str, call_id: str) -> Path:
        return self._run_folder(run_id) / _name(call_id)


def _name(text: str) -> str:
    # Call ids are the model's words: any characters, any length, "../" included.
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).replace(path)
        except OSError:
            Path(file.name).unlink(missing_ok=True)
            raise


def _read(path: Path, start: int, length: int) -> bytes | None:
    try:
        with path.open("rb") as file:
            file.seek(start)
            return file.read(length)
    except FileNotFoundError:
        return None
