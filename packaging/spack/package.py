# Copyright the Ocelotl authors. SPDX-License-Identifier: BSD-3-Clause
"""Ocelotl for Spack."""
import os

from spack.package import CMakePackage, depends_on, extends, join_path, license, run_after
from spack.package import variant, version, which, working_dir


class Ocelotl(CMakePackage):
    """Overviews of execution traces: where a run changes its behaviour, over time and resources."""

    # scripts/packages.sh makes the archive; Spack looks for it where it is started.
    manual_download = True

    license("BSD-3-Clause")

    version("0.2.0")

    variant("otf2", default=True, description="Read OTF2 archives")
    variant("python", default=False, description="Build the Python package")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("sqlite")
    depends_on("cairo+ft+fc")
    depends_on("libpng")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("xz")
    depends_on("bzip2")
    depends_on("otf2", when="+otf2")
    depends_on("libmicrohttpd")

    extends("python@3.9:", when="+python")
    depends_on("py-setuptools", type="build", when="+python")
    depends_on("py-pip", type="build", when="+python")
    depends_on("py-wheel", type="build", when="+python")
    depends_on("py-cffi", type=("build", "run"), when="+python")

    def url_for_version(self, version):
        return f"file://{os.getcwd()}/ocelotl-{version}.tar.gz"

    def cmake_args(self):
        args = [self.define("OCELOTL_TESTS", False)]
        if self.spec.satisfies("~otf2"):
            args.append(self.define("OTF2_LIBRARY", "OFF"))
        return args

    @run_after("install", when="+python")
    def install_python(self):
        with working_dir(join_path(self.stage.source_path, "python")):
            python = which("python3")
            python.add_default_env("OCELOTL_SYSTEM", "1")
            python.add_default_env("PKG_CONFIG_PATH", join_path(self.prefix.lib, "pkgconfig"))
            python("-m", "pip", "install", "--no-deps", "--no-build-isolation",
                   "--prefix=" + self.prefix, ".")
