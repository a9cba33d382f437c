-- AlterTable
ALTER TABLE "merge_requests" ADD COLUMN     "merge_error" TEXT,
ADD COLUMN     "rebase_started_at" TIMESTAMPTZ(3);
