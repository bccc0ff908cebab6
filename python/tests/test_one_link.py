"""Looking up one link among many"""


def kind(link):
    return getattr(link, "path", type(link).__name__)


def kinds(f, names):
    """Returns what getlink tells of each name."""
    return {name: kind(f.get(name, getlink=True)) for name in names}


def test_links_that_change_between(file, lib):
    names = [*map(str, range(10)), "g/x", "new", "missing"]

    def all_at_once():
        seen = {}
        file.visititems_links(lambda name, link: seen.update({name: link}))
        return {name: kind(seen.get(name)) for name in names}

    for number in range(10):
        file[str(number)] = lib.SoftLink(f"/{number}")
    assert kinds(file, names) == all_at_once()
    del file["3"]
    file["new"] = 1
    assert kinds(file, names) == all_at_once()
    file.flush()  # positions change
    assert kinds(file, names) == all_at_once()
    file["3"] = lib.ExternalLink("other.h5", "/there")
    del file["0"]
    file["0"] = lib.SoftLink("/another")
    file.move("9", "g/x")
    file.flush()
    assert kinds(file, names) == all_at_once()
    assert list(kinds(file, reversed(names)).values())[::-1] == list(all_at_once().values())
    for number in range(9):
        del file[str(number)]
    file.flush()
    assert kinds(file, names) == all_at_once()


def test_old_files(lib, path):
    """Groups of the first format are listed by name."""
    import h5py

    with h5py.File(path, "w", libver="earliest") as f:
        for number in range(100):
            f[f"{number}"] = h5py.SoftLink(f"/{number}")
    with lib.File(path) as f:
        assert all(f.get(name, getlink=True).path == f"/{name}" for name in f)
        assert f.get("100", getlink=True) is None
