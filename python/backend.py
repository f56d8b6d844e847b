"""Builds the package from the repository's root: by setuptools, in the folder of the package."""
import os
from pathlib import Path

from setuptools import build_meta

HERE = Path(__file__).resolve().parent


def _inside(function):
    """Asks a hook of setuptools, whose first argument may be a folder that is named from here."""
    def hook(*arguments, **named):
        given = [os.path.abspath(one) if isinstance(one, str) else one for one in arguments]
        named = {name: os.path.abspath(one) if isinstance(one, str) else one
                 for name, one in named.items()}
        os.chdir(HERE)
        return function(*given, **named)
    return hook


for _name in ("build_wheel", "build_sdist", "build_editable", "prepare_metadata_for_build_wheel",
              "prepare_metadata_for_build_editable", "get_requires_for_build_wheel",
              "get_requires_for_build_sdist", "get_requires_for_build_editable"):
    if hasattr(build_meta, _name):
        globals()[_name] = _inside(getattr(build_meta, _name))
