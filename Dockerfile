# The hosted server. Nothing in it depends on the processor: what is built is JavaScript and WebAssembly, and it is
# built on the builder's own platform, whatever the image's.
#   docker build -t causeway .                                        docs/production.md, "With Docker"
#   docker buildx build --platform linux/amd64,linux/arm64 …

FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./

FROM packages AS build
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json ./
COPY scripts scripts
COPY prisma prisma
COPY libs libs
COPY apps apps
ENV PATH=/app/node_modules/.bin:$PATH
RUN node scripts/generate-client.mjs && nest build server && chmod +x dist/apps/server/manage/main.js

# What runs, without what only compilers read and without the query compilers of other databases.
FROM packages AS dependencies
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*.postgresql.*' -delete

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Causeway" \
  org.opencontainers.image.description="A hosted, multi-tenant platform for MCP servers" \
  org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=dependencies /app/package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/prisma/migrations prisma/migrations
COPY --from=build /app/dist dist
# A volume mounted there gets this owner when it is made.
RUN ln -s /app/dist/apps/server/manage/main.js /usr/local/bin/manage \
  && install -d -o node -g node -m 700 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER node
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=10s --start-period=60s --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/apps/server/main.js"]
