#!/bin/sh
# kustomize runs a path without arguments.
exec "${FLEXSLICE:-flexslice}" krm
