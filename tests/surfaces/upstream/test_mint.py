from angelia.surfaces.upstream.mint import Mint


def test_a_seal_holds_for_its_words_and_its_mint():
    seal = Mint("a").seal("hm", "x")
    assert Mint("a").seal("hm", "x") == seal
    assert len({seal, Mint("a").seal("hmx"), Mint("b").seal("hm", "x")}) == 3
