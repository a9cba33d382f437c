-- CreateTable
CREATE TABLE "merge_request_approvals" (
    "merge_request_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merge_request_approvals_pkey" PRIMARY KEY ("merge_request_id","user_id")
);

-- CreateIndex
CREATE INDEX "merge_request_approvals_user_id_idx" ON "merge_request_approvals"("user_id");

-- AddForeignKey
ALTER TABLE "merge_request_approvals" ADD CONSTRAINT "merge_request_approvals_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_request_approvals" ADD CONSTRAINT "merge_request_approvals_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
