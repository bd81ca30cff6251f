"""A page that is being written, also by markup that is wrong."""

from angelia.adapters.readable.writing import MAX_LENGTH, Page


def test_what_is_closed_without_having_been_opened_does_nothing() -> None:
    page = Page(plain=False)
    page.say("a")
    page.close_span("**")
    page.close_link("https://x.example/")
    page.close_heading()
    page.close_list()
    page.close_item()
    page.close_quote()
    page.close_cell(is_row=False)
    page.close_cell(is_row=True)
    page.close_table()
    page.say("b")
    assert page.text() == "a\n\nb"


def test_a_link_around_blocks_belongs_to_the_last_of_them() -> None:
    page = Page(plain=False)
    page.open_span()
    page.say("one")
    page.end_block()
    page.say("two")
    page.close_link("https://x.example/")
    assert page.text() == "one\n\n[two](https://x.example/)"


def test_lists_in_quotes_in_lists_keep_their_marks() -> None:
    page = Page(plain=False)
    page.open_list(None)
    page.open_item()
    page.say("a")
    page.open_quote()
    page.say("q")
    page.close_quote()
    page.close_item()
    page.close_list()
    assert page.text() == "- a\n\n  > q"


def test_a_page_is_full_at_some_point() -> None:
    page = Page(plain=True)
    page.say("x" * MAX_LENGTH)
    assert not page.is_full
    page.say("x")
    assert page.is_full
