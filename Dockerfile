# flexslice alone in an image, without a system around it:
#   docker build --tag flexslice .
#   docker run --rm --interactive flexslice compile - < spec.yaml | kubectl apply -f -
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" flexslice compile --out-dir build spec.yaml
FROM debian:12 AS build
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends cmake g++ libcxxopts-dev libyaml-cpp-dev ninja-build \
    libfmt-dev nlohmann-json3-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /flexslice
COPY . .
RUN cmake --preset release -DFLEXSLICE_TESTS=OFF \
 && cmake --build --preset release \
 && cmake --install build/release --component program --strip --prefix /image/usr

FROM scratch
COPY --from=build /image/usr/bin/flexslice /usr/bin/flexslice
COPY --from=build /image/usr/share/doc/flexslice/copyright /image/usr/share/doc/flexslice/LICENSE /usr/share/doc/flexslice/
WORKDIR /work
USER 65534:65534
ENTRYPOINT ["/usr/bin/flexslice"]
CMD ["--help"]
