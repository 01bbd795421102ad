"""Links by path in a text: which there are, and what their paths mean."""

from __future__ import annotations

from plainbrain.text.paths import as_written, file_links, from_folder, from_root


def test_only_links_to_markdown_files_here_are_found() -> None:
    text = "[a](x.md) [b](<y z.md#h>) [c](z%20z.MD?q) [d](https://x.org/r.md) [e](p.png) ![f](f(1).md) [g](open.md\n[h](h.md"
    assert [link.path for link in file_links(text)] == ["x", "y z", "z z", "f(1)", "open"]
    assert [text[link.start : link.end] for link in file_links(text)][:2] == ["x.md", "y z.md"]


def test_paths_are_read_from_the_folder_and_never_leave_the_vault() -> None:
    assert from_root("../Daily/x", folder="Sub") == "Daily/x"
    assert from_root("./x", folder="Sub") == "Sub/x"
    assert from_root("/x", folder="Sub") == "x"
    assert from_root("../../x", folder="Sub") == ""
    assert from_folder("Daily/x", folder="Sub") == "../Daily/x"
    assert from_folder("Daily/x", folder="") == "Daily/x"


def test_a_path_is_written_so_that_markdown_reads_it() -> None:
    assert as_written("Good food/Käse (1)") == "Good%20food/Käse%20%281%29.md"


def test_any_text_takes_linear_time() -> None:
    assert not list(file_links("](" * 20_000))
