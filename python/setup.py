"""Builds the package: with the library and the program inside; where OCELOTL_SYSTEM is set, for the
library that pkg-config finds; where OCELOTL_LIBRARY is set, for the one in that folder, which is to
be installed where the system looks. One module serves every Python from 3.9 on."""
import atexit
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import setuptools
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

# What the library, the program and the package are built of.
SOURCES = ("CMakeLists.txt", "LICENSE", "cli", "cmake", "engine", "importers",
           "include", "pyproject.toml", "python", "request", "server", "viz")
# What builds may have left beside the package.
LEFT = ("__pycache__", "build", "dist", "*.egg-info", "*.so*", "ocelotl-[0-9]*")
INSIDE = not os.environ.get("OCELOTL_SYSTEM") and not os.environ.get("OCELOTL_LIBRARY")
# A Python without its global lock has no interface that later ones keep.
KEPT_INTERFACE = not sysconfig.get_config_var("Py_GIL_DISABLED")

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
        # The program looks for the library in the package's folder, where both will be.
        options = ["-DOCELOTL_TESTS=OFF", "-DOCELOTL_BENCH=OFF", "-DCMAKE_BUILD_TYPE=Release",
                   "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON", "-DCMAKE_INSTALL_LIBDIR=ocelotl"]
        if shutil.which("ninja"):
            options += ["-G", "Ninja"]
        run("cmake", "-S", str(ROOT), "-B", str(folder), *options)
        run("cmake", "--build", str(folder), "--target", "ocelotl", "ocelotl-cli",
            "--parallel")
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

    def copy_built(self, folder):
        """The library, under the name that it is linked by, and the program beside the module."""
        target = Path(self.get_ext_fullpath("ocelotl._native")).parent
        target.mkdir(parents=True, exist_ok=True)
        name = Path(os.path.realpath(Path(folder) / "libocelotl.so")).name
        linked = re.sub(r"(\.so\.\d+\.\d+)\.\d+$", r"\1", name)
        shutil.copy2(Path(folder) / name, target / linked)
        shutil.copy2(Path(folder) / "ocelotl-cli", target)

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
        if INSIDE:
            self.copy_built(folder)


class Pack(sdist):
    """Packs a source that builds alone: it is laid out as the checkout is."""

    def make_release_tree(self, base_dir, files):
        for name in SOURCES:
            target = Path(base_dir) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_dir():
                left = shutil.ignore_patterns(*LEFT) if name == "python" else None
                shutil.copytree(ROOT / name, target, ignore=left)
            else:
                shutil.copy2(ROOT / name, target)
        self.distribution.metadata.write_pkg_info(base_dir)


def describe():
    """What depends on where and for what the package is built."""
    told = {"license_expression" if SETUPTOOLS >= 77 else "license": "BSD-3-Clause"}
    module = Extension("ocelotl._native", sources=[], py_limited_api=KEPT_INTERFACE)
    # Nothing that is made stays in the checkout.
    folder = tempfile.mkdtemp(prefix="ocelotl-build-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    options = {"build": {"build_base": folder}, "egg_info": {"egg_base": folder}}
    if KEPT_INTERFACE:
        module.define_macros = [("Py_LIMITED_API", "0x03090000")]
        options["bdist_wheel"] = {"py_limited_api": "cp39"}
    scripts = {"console_scripts": ["ocelotl-cli = ocelotl_cli:main"]} if INSIDE else {}
    return dict(told, ext_modules=[module], options=options, entry_points=scripts,
                py_modules=["ocelotl_cli"] if INSIDE else [])


refuse_old_setuptools()
require(missing_modules(), [])
setup(version=read_version(), cmdclass={"build_ext": Build, "sdist": Pack}, **describe())
