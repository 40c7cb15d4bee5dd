-- AlterTable
ALTER TABLE "admin_keys" ADD COLUMN     "account_id" UUID;

-- CreateIndex
CREATE INDEX "admin_keys_account_id_idx" ON "admin_keys"("account_id");

-- CreateIndex
CREATE INDEX "admin_keys_expires_at_idx" ON "admin_keys"("expires_at");

-- CreateIndex
CREATE INDEX "history_at_idx" ON "history"("at");

-- AddForeignKey
ALTER TABLE "admin_keys" ADD CONSTRAINT "admin_keys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
