"""The version of the package: one number, read by the build and by every face."""

VERSION = "0.1.0"
