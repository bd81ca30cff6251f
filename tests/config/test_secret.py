from angelia.config import Secret
from tests.config.settling import BASE, MODEL, fault, settled


def test_no_key_is_shown_by_repr_or_error():
    key = "very-secret-key-0123456789"
    environ = {**BASE, "ANGELIA_API_KEY": key, "ANGELIA_UPSTREAM_KEY": key, "OPENAI_API_KEY": key}
    listed = f'[providers.p]\nbase_url = "http://p"\nkeys = ["{key}"]\n'
    listed += f'headers = {{ x-key = "{key}" }}\n'
    text = listed + f'[users]\nopenwebui_secret = "{key}"\n' + MODEL + f'key = "{key}"'
    settings = settled(text, environ)
    assert key not in repr(settings) + str(settings) + settings.model_line
    named = settled(listed + '[models.m]\nprovider = "p"')
    assert key not in repr(named) + named.model_line
    assert named.chain[0].provider.headers == {"x-key": key}
    assert "***" in repr(settings)
    for bad in (f'key_env = "{key}x"\n', "zzz = 1\n", "timeouts = 5\n"):
        assert f'"{key}"' not in fault(text + "\n" + bad, {"ANGELIA_UPSTREAM_KEY": key})


def test_a_secret_equals_only_the_same_secret():
    assert Secret("a") == Secret("a")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert len({Secret("a"), Secret("a")}) == 1
    assert f"{Secret('a')}" == "***"
