"""How clients in the field read our streams: their rules as pure functions from bytes."""
