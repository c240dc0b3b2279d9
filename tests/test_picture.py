"""The picture in the README is what a query answers now."""

from tools import picture


def test_the_picture_is_up_to_date() -> None:
    assert picture.PICTURE.read_text(encoding="utf-8") == picture.drawn(), "run python -m tools.picture"
