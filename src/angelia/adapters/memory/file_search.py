"""A search through a workspace that is a dictionary."""

from angelia.adapters.file_matching import Matcher, hidden, in_order
from angelia.adapters.memory.workspace import MemoryWorkspace
from angelia.core.gitignore import FILE, Ignored
from angelia.core.grep import MAX_HITS
from angelia.ports.file_search import FileHit, FileHits, FileQuery


class MemorySearch:
    dialect = "Python's `re`"

    def __init__(self, workspace: MemoryWorkspace) -> None:
        self._workspace = workspace

    async def search(self, query: FileQuery) -> FileHits:
        matcher = Matcher(query)
        hits: list[FileHit] = []
        for path in self._paths(query):
            if matcher.named(path):
                data = self._workspace.files[path]
                hits += (FileHit(path),) if matcher.by_name else matcher.hits(path, data)
        return FileHits(in_order(hits)[:MAX_HITS], more=len(hits) > MAX_HITS)

    def _paths(self, query: FileQuery) -> list[str]:
        below = "" if query.path == "." else query.path
        inside = [p for p in self._workspace.files if not below or f"{p}/".startswith(f"{below}/")]
        seen = [p for p in inside if ".git" not in p.split("/") and not self._covert(p, query)]
        rules = Ignored(self._texts(), below)
        return [path for path in seen if query.ignored or not rules(path, folder=False)]

    def _covert(self, path: str, query: FileQuery) -> bool:
        below = path[len(query.path) :] if query.path != "." else path
        return not query.hidden and hidden(below)

    def _texts(self) -> dict[str, str]:
        return {
            path.removesuffix(FILE).rstrip("/"): data.decode(errors="replace")
            for path, data in self._workspace.files.items()
            if path.rpartition("/")[2] == FILE
        }
