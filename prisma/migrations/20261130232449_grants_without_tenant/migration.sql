-- AlterTable
ALTER TABLE "oauth_grants" ALTER COLUMN "tenant_id" DROP NOT NULL;
