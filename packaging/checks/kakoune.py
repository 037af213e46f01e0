"""Fails unless the text is what kakoune-lsp takes as lsp_servers: kakoune.py FILE."""

import sys
import tomllib

with open(sys.argv[1], "rb") as file:
    servers = tomllib.load(file)
wanted = {"root_globs": [".git", ".hg"], "settings_section": "critic", "settings": {"critic": {}}}
if servers != {"critic-lsp": wanted}:
    sys.exit(f"kakoune: the option holds {servers}")
