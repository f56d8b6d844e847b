"""What the program says, and the rows of what SQL asks it."""
import csv
import io
import os
import subprocess


def cli(*words):
    return subprocess.run([os.environ["OCELOTL_CLI"], *words], capture_output=True, text=True,
                          check=True).stdout


def table(*words):
    """What the program says as CSV, a dictionary each row."""
    return list(csv.DictReader(io.StringIO(cli(*words))))
