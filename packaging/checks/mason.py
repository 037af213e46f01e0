"""Fails unless a package of mason's registry has the fields that it must have: mason.py PACKAGE DIST.

The rules are those that mason-registry's CONTRIBUTING.md and mason-org/registry-schema state for a release on GitHub.
"""

import os
import re
import sys

import yaml

MUST = {"name", "description", "homepage", "licenses", "languages", "categories", "source"}
MAY = {"deprecation", "schemas", "bin", "share", "opt", "neovim", "ci_skip"}
CATEGORIES = {"Compiler", "DAP", "Formatter", "LSP", "Linter", "Runtime"}
TARGETS = {f"linux_{cpu}{libc}" for cpu in ("x64", "arm64") for libc in ("", "_gnu", "_musl")}


def main(path, dist):
    with open(path) as file:
        package = yaml.safe_load(file)
    fields = set(package)
    must(not MUST - fields, f"lacks {', '.join(sorted(MUST - fields))}")
    must(not fields - MUST - MAY, f"has the unknown {', '.join(sorted(fields - MUST - MAY))}")
    must(re.match("^https?://", package["homepage"]), "the homepage is no address")
    must(package["licenses"] == ["MIT"], "the license is another")
    must(package["languages"] == ["Markdown"], "the language is another")
    must(set(package["categories"]) <= CATEGORIES, "has an unknown category")
    source = package["source"]
    found = re.match("^pkg:github/[^/]+/[^/]+@(v[0-9.]+)$", source["id"])
    must(found, f"{source['id']} names no release")
    targets = []
    for asset in source["asset"]:
        must(set(asset) == {"target", "file", "bin"}, f"the asset is not understood: {asset}")
        targets.append(asset["target"])
        archive = asset["file"].replace("{{version}}", found[1])
        must(os.path.isfile(os.path.join(dist, archive)), f"the release has no {archive}")
        program = asset["bin"].replace("{{version}}", found[1])
        must(program == f"{archive.removesuffix('.tar.gz')}/bin/critic-lsp", f"{archive} holds no {program}")
    must(len(targets) == 2 and set(targets) <= TARGETS, f"the targets are {targets}")
    must(package["bin"] == {"critic-lsp": "{{source.asset.bin}}"}, "the program is another")
    must(package["neovim"] == {"lspconfig": "critic"}, "the configuration for Neovim is another")


def must(holds, otherwise):
    if not holds:
        sys.exit(f"mason: {otherwise}")


main(*sys.argv[1:])
