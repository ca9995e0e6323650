#!/bin/sh
# kustomize runs a path without arguments.
exec flexslice krm
