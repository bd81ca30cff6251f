"""The description of every route, event and error, served as an OpenAPI document."""
