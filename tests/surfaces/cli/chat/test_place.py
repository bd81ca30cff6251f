from angelia.surfaces.cli.chat.place import Place


def test_a_place_changes_and_is_left() -> None:
    place = Place(model="angelia")
    place.go_to("s", "run_1")
    assert (place.session_id, place.last_run, place.model) == ("s", "run_1", "angelia")
    place.begin_anew()
    assert (place.session_id, place.last_run, place.model) == (None, None, "angelia")
