"""The tool that every server here has: a shell command in a process of its own."""

import subprocess


def run_command(command: str) -> str:
    done = subprocess.run(
        ["bash", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout
