# docker build --build-arg VERSION="$(git describe --tags --always)" -t descbench .   (or: make docker)
# docker run --rm descbench run configs/demo.yaml
# docker run --rm --read-only --user "$(id -u):$(id -g)" -v "$PWD:/work" descbench \
#     run my.yaml --data hpatches-sequences-release
#
# All that a container writes is in its working folder, /work: runs, and the cache in
# .cache.

# Debian 12, Ubuntu 24.04 or later. An image of yours that has another OpenCV in /usr/local
# goes with RUNTIME, a small image of the same release.
ARG BASE=debian:bookworm-slim
ARG RUNTIME=$BASE

FROM $BASE AS build
WORKDIR /src
COPY .ci/deps .ci/go .ci/
COPY go.mod go.sum ./
RUN apt-get update \
 && apt-get install -y --no-install-recommends make \
 && .ci/deps \
 && go mod download
COPY . .
ARG VERSION=unknown
RUN make build VERSION="$VERSION" \
 && .ci/image bin/descbench /image

FROM $RUNTIME
# Libraries that the base image has stay, because they belong together.
RUN --mount=from=build,source=/image,target=/image \
    tar -C /image -c . | tar -C / -x --skip-old-files \
 && ldconfig \
 && useradd --home-dir /work --no-create-home --uid 10001 descbench \
 && install -d -m 1777 /work \
 && ln -s /usr/share/descbench/configs /usr/share/descbench/testdata /work/
COPY configs /usr/share/descbench/configs/
COPY testdata /usr/share/descbench/testdata/
# A number, by which Kubernetes can tell that this is not root.
USER 10001
WORKDIR /work
ENV HOME=/work
ENTRYPOINT ["descbench"]
