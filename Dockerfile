# The page of Sapper for a class or a club:
#
#     docker build --tag sapper .
#     docker run --publish 8765:8765 --volume sapper:/data sapper --name 192.168.1.20
#
# --name is the address of this machine on its network, for the links that are printed.

FROM python:3.12-slim AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir "$(echo /wheels/*.whl)[picture]" \
    && useradd --create-home sapper \
    && install --directory --owner sapper /data
USER sapper
VOLUME /data
EXPOSE 8765
ENTRYPOINT ["sapper", "serve", "--host", "0.0.0.0", "--port", "8765", "--data", "/data"]
