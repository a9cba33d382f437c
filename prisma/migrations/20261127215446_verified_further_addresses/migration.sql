-- AlterTable
ALTER TABLE "emails" ADD COLUMN     "verified_at" TIMESTAMPTZ(3);
