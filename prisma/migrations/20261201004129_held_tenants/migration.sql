-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "held" BOOLEAN NOT NULL DEFAULT false;

-- So far operators alone suspended tenants, but for those that were to be deleted.
UPDATE "tenants" SET "held" = true WHERE "status" = 'suspended' AND "deletes_at" IS NULL;
