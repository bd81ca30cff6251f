"""The command line: start the server, ask one question, play a model server."""
