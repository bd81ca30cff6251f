from angelia.surfaces.cli.doctor.shown import Canvas, Card, Errand, Said, Thought, Tokens, Trouble


def test_pieces_of_one_kind_grow_together_and_others_part_them():
    canvas = Canvas()
    for text in ("a", "b"):
        canvas.think(text)
    canvas.say("c")
    canvas.think("d")
    canvas.say("")
    assert canvas.shown().pieces == (Thought("ab"), Said("c"), Thought("d"))


def test_a_card_stays_where_it_began_and_keeps_its_states():
    canvas = Canvas()
    canvas.card("1", "ls", "running")
    canvas.say("meanwhile")
    canvas.card("1", "ls", "ok")
    shown = canvas.shown()
    assert shown.pieces == (Card("ls", ("running", "ok")), Said("meanwhile"))
    assert [card.ended for card in shown.cards] == [True]
    assert not Card("ls", ("running",)).ended


def test_the_arguments_of_a_call_come_in_pieces():
    canvas = Canvas()
    canvas.errand(0, "f", '{"a"')
    canvas.errand(1, "g", "{}")
    canvas.errand(0, "", ": 1}")
    assert canvas.shown().errands == [Errand("f", '{"a": 1}'), Errand("g", "{}")]


def test_reasoning_above_text_moves_what_is_behind_it():
    canvas = Canvas()
    canvas.say("text")
    canvas.card("1", "ls", "running")
    canvas.think_above("first")
    canvas.think_above(" second")
    canvas.card("1", "ls", "ok")
    assert canvas.shown().pieces == (
        Thought("first second"),
        Said("text"),
        Card("ls", ("running", "ok")),
    )


def test_what_is_shown_can_be_asked_by_kind():
    canvas = Canvas()
    canvas.say("a")
    canvas.trouble("no")
    canvas.say("b")
    canvas.remark("once")
    canvas.remark("once")
    canvas.tokens, canvas.finish = Tokens(1, 2) + Tokens(3, 4), "stop"
    shown = canvas.shown()
    assert (shown.text, shown.troubles, shown.remarks) == ("ab", [Trouble("no")], ("once",))
    assert (shown.tokens, shown.finish) == (Tokens(4, 6), "stop")
