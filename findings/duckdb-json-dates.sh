#!/usr/bin/env bash
# DuckDB 2.0.1
#
# A text of JSON that looks like a date or a time becomes one, quotation marks or not. Versions of an API that are called after
# days are a column of DATE, and groups such as "12:30" of TIME, which prints as 12:30:00. With one value of another kind in
# the column, such as "", all stay text. A number in quotation marks stays text.
#
# One would have guessed: what JSON says is text is text, as it is for numbers.
#
# Seen on 2026-11-28:
#   version DATE     2026-11-28
#   group   TIME     12:30:00
#   mixed   VARCHAR  2026-11-28
#   number  VARCHAR  1.10
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check duckdb==2.0.1

cat > pages.ndjson <<'EOF'
{"version": "2026-11-28", "group": "12:30", "mixed": "2026-11-28", "number": "1.10"}
{"version": "2026-01-05", "group": "13:30", "mixed": "", "number": "1.9"}
EOF
cat > run.py <<'EOF'
import duckdb
rows = duckdb.sql("FROM 'pages.ndjson'")
seen = [(name, str(kind), str(value)) for (name, kind, *_), value in zip(rows.description, rows.fetchall()[0])]
for name, kind, value in seen:
    print(f"{name:<7} {kind:<8} {value}")
assert seen == [
    ("version", "DATE", "2026-11-28"),
    ("group", "TIME", "12:30:00"),
    ("mixed", "VARCHAR", "2026-11-28"),
    ("number", "VARCHAR", "1.10"),
], seen
EOF
python/bin/python run.py
