"""Says which words of a Markdown text a reader sees on GitHub, by other means than those of the action.

cmark-gfm renders, ammonia (html5ever) sanitises by GitHub's list, html5lib parses what is left. Reads one JSON string a
line; answers each with one JSON line: the sanitised HTML, and its visible text with the targets of its visible links.
"""

import json
import sys

import cmarkgfm
import html5lib
import nh3
from cmarkgfm.cmark import Options

OPTIONS = (
    Options.CMARK_OPT_UNSAFE
    | Options.CMARK_OPT_FOOTNOTES
    | Options.CMARK_OPT_GITHUB_PRE_LANG
    | Options.CMARK_OPT_HARDBREAKS
)

# https://github.com/gjtorikian/html-pipeline, the list that GitHub publishes.
TAGS = set(
    "h1 h2 h3 h4 h5 h6 br b i strong em a pre code img input tt div ins del sup sub p picture ol ul table thead tbody"
    " tfoot blockquote dl dt dd kbd q samp var hr ruby rt rp li tr td th s strike summary details caption figure"
    " figcaption abbr bdo cite dfn mark small source span time wbr section".split()
)
ATTRIBUTES = {
    "*": {"lang", "title", "id"},
    "a": {"href", "data-footnote-ref", "data-footnote-backref"},
    "img": {"src", "alt"},
    "input": {"type", "checked", "disabled"},
    "section": {"data-footnotes"},
    "ol": {"start"},
    "h2": {"class"},
}
SCHEMES = {"http", "https", "irc", "ircs", "mailto", "xmpp"}

NOT_SHOWN = {"rp", "template", "script", "style"}
DIAGRAMS = {"mermaid", "geojson", "topojson", "stl"}


def rendered(markdown):
    html = cmarkgfm.github_flavored_markdown_to_html(markdown, options=OPTIONS)
    return nh3.clean(
        html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel=None, clean_content_tags={"script"}
    )


# Text below half its size is as good as hidden. https://github.com/primer/css/tree/main/src/markdown
SIZES = {"h1": 2, "h2": 1.5, "h3": 1.25, "h5": 0.875, "h6": 0.85, "sub": 0.75, "sup": 0.75, "small": 0.9, "rt": 0.5}
SIZES.update(dict.fromkeys(["code", "tt", "samp", "pre"], 0.85))


def size_of(element, parent, around):
    if element.tag == "kbd":
        return 11 / 14
    return around if parent == "pre" and element.tag in ("code", "tt") else around * SIZES.get(element.tag, 1)


def is_shown(element):
    if element.tag in NOT_SHOWN or "sr-only" in element.get("class", ""):
        return False
    return not (element.tag == "pre" and element.get("lang", "").lower() in DIAGRAMS)


def has_content(element):
    """Whether a link can be seen."""
    return any(
        True
        for child in element.iter()
        if is_shown(child) and (child.tag == "img" or (child.text or "").strip())
        or child is not element and (child.tail or "").strip()
    )


def visible(element, pieces, parent="", around=1):
    if not isinstance(element.tag, str) or not is_shown(element):
        return
    size = size_of(element, parent, around)
    pieces.append((element.text or "") if size >= 0.5 else "")
    for child in element:
        visible(child, pieces, element.tag, size)
        pieces.append((child.tail or "") if size >= 0.5 else "")
    if element.tag == "a" and has_content(element):
        pieces.append(" " + element.get("href", "") + " ")


for line in sys.stdin:
    html = rendered(json.loads(line))
    pieces = []
    visible(html5lib.parseFragment(html, treebuilder="etree", namespaceHTMLElements=False), pieces)
    print(json.dumps({"html": html, "text": "".join(pieces)}), flush=True)
