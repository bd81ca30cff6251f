"""Run as a program in a session's network: opens the proxy's port and hands it out.

Knows nothing of the package, since it runs alone. Its input is a socket; over it the listening
socket goes to whoever started it, who takes the calls. Ends when that is closed.
"""

import socket

PORT = 3128


def main() -> None:
    listening = socket.create_server(("127.0.0.1", PORT), backlog=64)
    with socket.socket(fileno=0) as channel:
        socket.send_fds(channel, [b"x"], [listening.fileno()])
        channel.recv(1)


if __name__ == "__main__":
    main()
