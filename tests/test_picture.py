"""The pictures of the documents are what queries answer now."""

import pytest

from tools import concept_pictures, picture


def test_the_picture_is_up_to_date() -> None:
    assert picture.PICTURE.read_text(encoding="utf-8") == picture.drawn(), "run python -m tools.picture"


@pytest.mark.parametrize("name", concept_pictures.PICTURES)
def test_the_pictures_of_concepts_are_up_to_date(name: str) -> None:
    path = concept_pictures.FOLDER / f"{name}.svg"
    assert path.read_text(encoding="utf-8") == concept_pictures.PICTURES[name](), "run python -m tools.concept_pictures"
