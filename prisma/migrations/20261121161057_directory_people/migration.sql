-- AlterTable
ALTER TABLE "identities" ADD COLUMN     "checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateIndex
CREATE INDEX "identities_provider_checked_at_idx" ON "identities"("provider", "checked_at");
