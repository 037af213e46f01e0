"""What `pip install` of the repository gives, as pre-commit does it: no files, only critic-lsp of the same version as a requirement.

So the hooks run a released program, and nothing is compiled.
"""

import backend


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    requirement = [("Requires-Dist", f"critic-lsp=={backend.version()}")]
    metadata = backend.metadata("critic-lsp-hooks", "The program that the pre-commit hooks of critic-lsp run", requirement)
    return backend.write(wheel_directory, "critic_lsp_hooks", ["any"], {}, metadata)


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("hooks.py: this is for pre-commit, and is not released by itself")
