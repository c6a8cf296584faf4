"""The writer against the reference implementation, and what happens when writing is interrupted."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from inference.manager.safetensors_file import read_header, writing


def test_what_is_written_is_read_by_the_reference_implementation(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    first = np.arange(12, dtype=np.float32).reshape(3, 4)
    second = np.array([1.5, -2.5], dtype=np.float16)
    with writing(path, ["first", 'zweite "名"']) as writer:
        mark = writer.begin("first")
        for row in first:
            writer.append(row)
        writer.end("first", mark, "F32", (3, 4))
        mark = writer.begin('zweite "名"')
        writer.append(first)  # a wrong beginning that is taken back
        writer.rewind(mark)
        writer.append(second)
        writer.end('zweite "名"', mark, "F16", (2,))
    found = load_file(path)
    assert list(found) == ["first", 'zweite "名"']
    np.testing.assert_array_equal(found["first"], first)
    np.testing.assert_array_equal(found['zweite "名"'], second)
    assert [entry.shape for entry in read_header(path).values()] == [(3, 4), (2,)]
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_an_interrupted_file_never_appears_and_the_old_one_stays(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), writing(path, ["a"]) as writer:
        writer.append(np.zeros(1000, dtype=np.float32))
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(("dtype", "shape"), [("F16", (4,)), ("F32", (5,)), ("F32", (4, 0))])
def test_bytes_that_do_not_make_the_shape_are_refused(tmp_path: Path, dtype: str, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="do not make"), writing(tmp_path / "m", ["a"]) as writer:
        mark = writer.begin("a")
        writer.append(np.zeros(4, dtype=np.float32))
        writer.end("a", mark, dtype, shape)


def test_a_name_is_written_once(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there already"), writing(tmp_path / "m", ["a"]) as writer:
        for _ in range(2):
            mark = writer.begin("a")
            writer.append(np.zeros(1, dtype=np.float32))
            writer.end("a", mark, "F32", (1,))


def test_the_room_for_the_header_is_enough_for_many_large_tensors(tmp_path: Path) -> None:
    """The header is written last, into room kept for it: offsets of twelve digits must fit as well."""
    names = [f"model.layers.{i}.self_attn.q_proj.weight" for i in range(300)]
    with writing(tmp_path / "m", names) as writer:
        for i, name in enumerate(names):
            writer._header[name] = {
                "dtype": "BF16",
                "shape": [10**6, 10**6],
                "data_offsets": [i * 10**12, (i + 1) * 10**12],
            }
    assert (tmp_path / "m").stat().st_size == 8 + writer._room
