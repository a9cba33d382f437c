-- AlterTable
ALTER TABLE "merge_request_approvals" ADD COLUMN     "sha" TEXT;

-- CreateTable
CREATE TABLE "automatic_merges" (
    "merge_request_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "sha" TEXT NOT NULL,
    "source_project_id" INTEGER NOT NULL,
    "target_branch" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "should_remove_source_branch" BOOLEAN,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "automatic_merges_pkey" PRIMARY KEY ("merge_request_id")
);

-- CreateIndex
CREATE INDEX "automatic_merges_user_id_idx" ON "automatic_merges"("user_id");

-- AddForeignKey
ALTER TABLE "automatic_merges" ADD CONSTRAINT "automatic_merges_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "automatic_merges" ADD CONSTRAINT "automatic_merges_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
