-- CreateTable
CREATE TABLE "resource_polls" (
    "tenant_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claim" UUID,
    "etag" TEXT,
    "last_modified" TEXT,
    "digest" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "resource_polls_pkey" PRIMARY KEY ("tenant_id","source_id")
);

-- CreateTable
CREATE TABLE "webhook_messages" (
    "tenant_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_messages_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateIndex
CREATE INDEX "resource_polls_next_at_idx" ON "resource_polls"("next_at");

-- CreateIndex
CREATE INDEX "webhook_messages_taken_at_idx" ON "webhook_messages"("taken_at");

-- CreateIndex
CREATE INDEX "sources_kind_updated_at_idx" ON "sources"("kind", "updated_at");

-- AddForeignKey
ALTER TABLE "resource_polls" ADD CONSTRAINT "resource_polls_tenant_id_source_id_fkey" FOREIGN KEY ("tenant_id", "source_id") REFERENCES "sources"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_messages" ADD CONSTRAINT "webhook_messages_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
