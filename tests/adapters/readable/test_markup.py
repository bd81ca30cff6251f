"""What a reader sees of a page."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from angelia.adapters.readable.markup import read

URL = "https://example.com/docs/page"


def markdown(html: str) -> str:
    return read(html, URL, plain=False).text


def plain(html: str) -> str:
    return read(html, URL, plain=True).text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("<h1>A</h1><h3>B</h3>", "# A\n\n### B"),
        ("<h2>Head<a href='#x'>¶</a></h2>", "## Head"),
        ("a <b>bold</b>, <em>slanted</em>, <code>x()</code>", "a **bold**, *slanted*, `x()`"),
        ("a<b> spaced </b>b", "a **spaced** b"),
        ("<a href='/a?b=1'>there</a>", "[there](https://example.com/a?b=1)"),
        ("<a href='other'>there</a>", "[there](https://example.com/docs/other)"),
        ("<a href='javascript:x()'>there</a>", "there"),
        ("<a href='#top'>up</a>", "up"),
        ("<a href='/x'></a>end", "end"),
        ("one<br>two", "one\ntwo"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n- b\n  - c"),
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
        ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"),
        ("<blockquote><p>a<p>b</blockquote>c", "> a\n\n> b\n\nc"),
        (
            "<pre><code class='language-py'>if x:\n    y</code></pre>",
            "```py\nif x:\n    y\n```",
        ),
        ("<pre>``` inside</pre>", "````\n``` inside\n````"),
        (
            "<table><tr><th>A<th>B<tr><td>1<td>2|3</table>",
            "| A | B |\n| --- | --- |\n| 1 | 2\\|3 |",
        ),
        (
            "<table><tr><td>1<td><p>a<p>b<tr><td>2</table>",
            "| 1 | a b |\n| --- | --- |\n| 2 |  |",
        ),
        ("<table><tr><td><table><tr><td>x</table></table>", "| x |\n| --- |"),
        ("<img src=a.png alt='A cat'>", "![A cat](https://example.com/docs/a.png)"),
        ("<img src='data:image/png;base64,xx' alt='A cat'>", "![A cat]"),
        ("<img src=a.png>", ""),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("&lt;b&gt; &amp; &nbsp;x", "<b> & x"),
        ("<dl><dt>a<dd>b</dl>", "a\n\nb"),
        ("</p></li></ul></table></a></b>x", "x"),
        ("", ""),
    ],
)
def test_html_becomes_markdown(html: str, text: str) -> None:
    assert markdown(html) == text


def test_plain_text_has_the_words_and_no_marks() -> None:
    html = (
        "<h2>Head</h2><p>a <b>bold</b> <a href=/x>link</a></p><ul><li>i</ul><pre>c</pre>"
        "<table><tr><td>1<td>2</table><img alt=cat src=x>"
    )
    assert plain(html) == "Head\n\na bold link\n\n- i\n\nc\n\n1\t2\n\ncat"


@pytest.mark.parametrize(
    "html",
    [
        "<script>secret</script>",
        "<style>secret</style>",
        "<noscript>secret</noscript>",
        "<template><p>secret</p></template>",
        "<nav>secret</nav>",
        "<header>secret</header>",
        "<footer>secret</footer>",
        "<aside>secret</aside>",
        "<div role=navigation>secret</div>",
        "<div hidden>secret</div>",
        "<div aria-hidden=true>secret</div>",
        "<p style='color: red; display : none'>secret</p>",
        "<!-- secret -->",
        "<svg><text>secret</text></svg>",
        "<select><option>secret</select>",
        "<iframe>secret</iframe>",
    ],
)
def test_what_no_reader_sees_is_left_out(html: str) -> None:
    assert markdown(f"<p>a</p>{html}<p>b</p>") == "a\n\nb"


def test_the_main_content_is_preferred_and_keeps_what_belongs_to_it() -> None:
    words = "word " * 60
    html = f"<div>menu</div><main><header>Byline</header><p>{words}</p><aside>Note</aside></main>"
    text = markdown(html)
    assert "menu" not in text
    assert text.startswith("Byline")
    assert text.endswith("Note")


def test_a_placeholder_is_not_the_main_content() -> None:
    assert "all of it" in markdown("<main>Loading</main><div>all of it</div>")


def test_the_title_stands_above_a_page_that_has_no_heading() -> None:
    assert markdown("<title>T &amp; U</title><p>x") == "# T & U\n\nx"
    assert markdown("<title>T</title><h1>H</h1>x") == "# H\n\nx"
    assert plain("<title>T</title><p>x") == "T\n\nx"


def test_links_are_relative_to_the_base_that_a_page_names() -> None:
    html = "<base href='/other/'><a href='x'>x</a>"
    assert markdown(html) == "[x](https://example.com/other/x)"


def test_deep_nesting_is_no_trouble() -> None:
    assert markdown("<div>" * 3000 + "deep") == "deep"
    deep = "<ul><li>" * 500 + "deep"
    assert markdown(deep).endswith("deep")


def test_a_page_that_would_grow_without_end_is_cut() -> None:
    base = "<base href='https://example.com/" + "x" * 1900 + "/'>"
    reading = read(base + "<a href=y>z</a>" * 10_000, URL, plain=False)
    assert len(reading.text) < 6_000_000
    assert reading.note


# fmt: off
TAGS = ("p", "div", "a", "b", "i", "code", "ul", "ol", "li", "table", "tr", "td", "th", "pre",
        "blockquote", "h1", "h6", "br", "hr", "img", "main", "article", "nav")
# fmt: on
tags = st.sampled_from(TAGS)
pieces = st.one_of(
    tags.map("<{}>".format),
    tags.map("</{}>".format),
    st.text(max_size=5),
    st.sampled_from(["<a href='/x'>", "<img alt=q src=z>", "<td>", "&amp;", "<!--", "-->"]),
)


@given(st.lists(pieces).map("".join), st.booleans())
@settings(max_examples=300)
def test_no_markup_makes_it_fail(html: str, is_plain: bool) -> None:
    assert isinstance(read(html, URL, plain=is_plain).text, str)


@given(st.lists(tags))
def test_words_are_never_lost(opened: list[str]) -> None:
    seen = [tag for tag in opened if tag != "nav"]
    html = "".join(f"<{tag}>word{at} " for at, tag in enumerate(seen))
    text = plain(html)
    assert [f"word{at}" for at in range(len(seen)) if f"word{at}" not in text.split()] == []
