"""Builds the package: with the library inside; where OCELOTL_SYSTEM is set, for the library that
pkg-config finds; where OCELOTL_LIBRARY is set, for the one in that folder, which is to be installed
where the system looks."""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import setuptools
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))


SETUPTOOLS = int(setuptools.__version__.split(".")[0])


def refuse_old_setuptools():
    """Ends where setuptools reads no pyproject.toml: it would install nothing, and say nothing."""
    if SETUPTOOLS < 61:
        sys.exit(f"ocelotl: building needs setuptools of version 61 or later, and this is "
                 f"{setuptools.__version__}: {sys.executable} -m pip install 'setuptools>=61'")


def missing_modules():
    """What building needs and this Python has not. Later versions of setuptools make wheels."""
    needed = ["cffi"]
    if SETUPTOOLS < 71:
        needed.append("wheel")
    return [name for name in needed if importlib.util.find_spec(name) is None]


def require(modules, tools):
    """Ends with a line that says what to install. Debian's packages serve Debian's Python alone."""
    wanted = []
    if modules and sys.base_prefix == "/usr":
        wanted.append("apt-get install " + " ".join(f"python3-{name}" for name in modules)
                      + ", and a venv --system-site-packages")
    elif modules:
        wanted.append(f"{sys.executable} -m pip install {' '.join(modules)}")
    if tools:
        wanted.append("apt-get install " + " ".join(tools))
    if wanted:
        names = [*modules, *tools]
        sys.exit(f"ocelotl: building needs {', '.join(names)}, which "
                 f"{'is' if len(names) == 1 else 'are'} missing here: {'; '.join(wanted)}")


def run(*words):
    subprocess.run(words, check=True)


def ask(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def read_version():
    """Of the header, or, without it, of the installed library."""
    header = ROOT / "include/ocelotl/status.h"
    if not header.exists():
        return ask("pkg-config", "--modversion", "ocelotl")
    numbers = re.findall(r"#define OCELOTL_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)",
                         header.read_text(encoding="utf-8"))
    return ".".join(numbers)


class Build(build_ext):
    """Builds the library, where it is to be inside, and the module from its headers."""

    def build_library(self):
        if not (ROOT / "CMakeLists.txt").exists():
            sys.exit("the library's source is not beside python/: build in a checkout, or set "
                     "OCELOTL_SYSTEM=1 to use an installed libocelotl")
        require([], [tool for tool in ("cmake", "pkg-config") if shutil.which(tool) is None])
        folder = Path(self.build_temp).resolve() / "libocelotl"
        options = ["-DOCELOTL_TESTS=OFF", "-DOCELOTL_BENCH=OFF", "-DCMAKE_BUILD_TYPE=Release"]
        if shutil.which("ninja"):
            options += ["-G", "Ninja"]
        run("cmake", "-S", str(ROOT), "-B", str(folder), *options)
        run("cmake", "--build", str(folder), "--target", "ocelotl", "--parallel")
        return folder

    def find_library(self):
        """Its headers and its folder, and where the module looks for it."""
        if os.environ.get("OCELOTL_LIBRARY"):
            return str(ROOT / "include"), os.environ["OCELOTL_LIBRARY"], []
        if os.environ.get("OCELOTL_SYSTEM"):
            include = ask("pkg-config", "--variable=includedir", "ocelotl")
            folder = ask("pkg-config", "--variable=libdir", "ocelotl")
            return include, folder, [folder]
        return str(ROOT / "include"), str(self.build_library()), ["$ORIGIN"]

    def copy_library(self, folder):
        """Beside the module, under the name that it is linked by."""
        target = Path(self.get_ext_fullpath("ocelotl._native")).parent
        target.mkdir(parents=True, exist_ok=True)
        name = Path(os.path.realpath(Path(folder) / "libocelotl.so")).name
        linked = re.sub(r"(\.so\.\d+\.\d+)\.\d+$", r"\1", name)
        shutil.copy2(Path(folder) / name, target / linked)

    def build_extension(self, ext):
        import build_native

        include, folder, paths = self.find_library()
        source = Path(self.build_temp).resolve() / "_native.c"
        source.parent.mkdir(parents=True, exist_ok=True)
        build_native.write(source, include)
        ext.sources = [str(source)]
        ext.include_dirs = [include]
        ext.library_dirs = [folder]
        ext.libraries = ["ocelotl"]
        ext.runtime_library_dirs = paths
        ext.extra_compile_args = os.environ.get("OCELOTL_CFLAGS", "").split()
        super().build_extension(ext)
        if not os.environ.get("OCELOTL_SYSTEM") and not os.environ.get("OCELOTL_LIBRARY"):
            self.copy_library(folder)


refuse_old_setuptools()
require(missing_modules(), [])
setup(version=read_version(), cmdclass={"build_ext": Build},
      ext_modules=[Extension("ocelotl._native", sources=[])])
