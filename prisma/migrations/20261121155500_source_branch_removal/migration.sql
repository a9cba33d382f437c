-- AlterTable
ALTER TABLE "merge_requests" ADD COLUMN     "should_remove_source_branch" BOOLEAN;
