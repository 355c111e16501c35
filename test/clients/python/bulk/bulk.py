"""Writes an input for `embedgate embed` with pyarrow, or reads what the command wrote, with numpy, pyarrow and pandas."""

import datetime
import decimal
import json
import os
import sys

import numpy
import pandas
import pyarrow
import pyarrow.parquet

folder = sys.argv[2]
texts = json.loads(os.environ["TEXTS"])
count = len(texts)


def path(name):
    return os.path.join(folder, name)


def write():
    columns = {
        "id": pyarrow.array(range(count), pyarrow.uint8()),
        "text": texts,
        "price": pyarrow.array([decimal.Decimal("12345678901234567890.12")] * count, pyarrow.decimal128(38, 2)),
        "at": pyarrow.array([datetime.datetime(2026, 1, 2, 3, 4, 5, 678901)] * count, pyarrow.timestamp("us", "UTC")),
        "old": pyarrow.array([None, *[1_000_001] * (count - 1)], pyarrow.timestamp("ns")),
        "big": pyarrow.array([2**64 - 1] * count, pyarrow.uint64()),
        "bytes": [b"\xff\x00"] * count,
        "tags": [None, [], *[["a", None]] * (count - 2)],
        "nested": [{"x": [{"y": i}]} for i in range(count)],
    }
    table = pyarrow.table(columns)
    for compression in ["snappy", "gzip", "zstd", "brotli"]:
        pyarrow.parquet.write_table(table, path(f"{compression}.parquet"), compression=compression, row_group_size=2)
    old = {"use_deprecated_int96_timestamps": True}
    pyarrow.parquet.write_table(table.select(["text", "old"]), path("int96.parquet"), **old)


def read():
    vectors = numpy.load(path("out.npy"))
    read = {"numpy": [str(vectors.dtype), vectors.tolist()]}
    for name in ["snappy", "gzip", "zstd", "brotli", "int96"]:
        given = pyarrow.parquet.read_table(path(f"{name}.parquet"))
        written = pyarrow.parquet.read_table(path(f"out-{name}.parquet"))
        assert written.column_names == [*given.column_names, "embedding"], written.column_names
        for column in given.column_names:
            assert written[column].to_pylist() == given[column].to_pylist(), (name, column)
            assert written[column].type == given[column].type, (name, column)
        read[f"pyarrow, {name}"] = [str(written["embedding"].type.value_type), written["embedding"].to_pylist()]
    frame = pandas.read_parquet(path("out-snappy.parquet"))
    assert frame["text"].tolist() == texts
    stacked = numpy.stack(frame["embedding"].to_numpy())
    read["pandas"] = [str(stacked.dtype), stacked.tolist()]
    lines = pandas.read_json(path("out.jsonl"), lines=True)
    assert lines["text"].tolist() == texts
    numbers = numpy.array(lines["embedding"].tolist(), dtype=numpy.float32)
    read["pandas, JSON Lines"] = [str(numbers.dtype), numbers.tolist()]
    print(json.dumps(read))


{"write": write, "read": read}[sys.argv[1]]()
