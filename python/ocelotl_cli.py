"""The command ocelotl-cli of the wheel, which has the program beside the library."""
import importlib.util
import os
import sys


def main() -> None:
    """Becomes the program. The package is found and not imported, which would take longer."""
    package = importlib.util.find_spec("ocelotl")
    assert package is not None and package.submodule_search_locations is not None
    program = os.path.join(package.submodule_search_locations[0], "ocelotl-cli")
    os.execv(program, sys.argv)
