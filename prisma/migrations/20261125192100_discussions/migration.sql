-- CreateEnum
CREATE TYPE "diff_position_type" AS ENUM ('text', 'image');

-- AlterTable
ALTER TABLE "commit_comments" ADD COLUMN     "is_reply" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "updated_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "notes" ADD COLUMN     "is_in_thread" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "is_reply" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "thread_notes" (
    "note_id" INTEGER NOT NULL,
    "first_note_id" INTEGER NOT NULL,
    "started_by" INTEGER NOT NULL,
    "merge_request_id" INTEGER,
    "resolved_at" TIMESTAMPTZ(3),
    "resolved_by_id" INTEGER,

    CONSTRAINT "thread_notes_pkey" PRIMARY KEY ("note_id")
);

-- CreateTable
CREATE TABLE "thread_comments" (
    "comment_id" INTEGER NOT NULL,
    "first_comment_id" INTEGER NOT NULL,
    "started_by" INTEGER NOT NULL,

    CONSTRAINT "thread_comments_pkey" PRIMARY KEY ("comment_id")
);

-- CreateTable
CREATE TABLE "diff_positions" (
    "id" SERIAL NOT NULL,
    "note_id" INTEGER,
    "comment_id" INTEGER,
    "type" "diff_position_type" NOT NULL,
    "base_sha" TEXT NOT NULL,
    "start_sha" TEXT NOT NULL,
    "head_sha" TEXT NOT NULL,
    "old_path" TEXT NOT NULL,
    "new_path" TEXT NOT NULL,
    "old_line" INTEGER,
    "new_line" INTEGER,
    "line_code" TEXT,
    "width" INTEGER,
    "height" INTEGER,
    "x" INTEGER,
    "y" INTEGER,

    CONSTRAINT "diff_positions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "thread_notes_first_note_id_note_id_idx" ON "thread_notes"("first_note_id", "note_id");

-- CreateIndex
CREATE INDEX "thread_notes_started_by_idx" ON "thread_notes"("started_by");

-- CreateIndex
CREATE INDEX "thread_notes_merge_request_id_resolved_at_idx" ON "thread_notes"("merge_request_id", "resolved_at");

-- CreateIndex
CREATE INDEX "thread_notes_resolved_by_id_idx" ON "thread_notes"("resolved_by_id");

-- CreateIndex
CREATE INDEX "thread_comments_first_comment_id_comment_id_idx" ON "thread_comments"("first_comment_id", "comment_id");

-- CreateIndex
CREATE INDEX "thread_comments_started_by_idx" ON "thread_comments"("started_by");

-- CreateIndex
CREATE UNIQUE INDEX "diff_positions_note_id_key" ON "diff_positions"("note_id");

-- CreateIndex
CREATE UNIQUE INDEX "diff_positions_comment_id_key" ON "diff_positions"("comment_id");

-- AddForeignKey
ALTER TABLE "thread_notes" ADD CONSTRAINT "thread_notes_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "thread_notes" ADD CONSTRAINT "thread_notes_first_note_id_fkey" FOREIGN KEY ("first_note_id") REFERENCES "notes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "thread_notes" ADD CONSTRAINT "thread_notes_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "thread_notes" ADD CONSTRAINT "thread_notes_resolved_by_id_fkey" FOREIGN KEY ("resolved_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "thread_comments" ADD CONSTRAINT "thread_comments_comment_id_fkey" FOREIGN KEY ("comment_id") REFERENCES "commit_comments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "thread_comments" ADD CONSTRAINT "thread_comments_first_comment_id_fkey" FOREIGN KEY ("first_comment_id") REFERENCES "commit_comments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "diff_positions" ADD CONSTRAINT "diff_positions_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "diff_positions" ADD CONSTRAINT "diff_positions_comment_id_fkey" FOREIGN KEY ("comment_id") REFERENCES "commit_comments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A position belongs to one thing. Prisma's schema language has no checks.
ALTER TABLE "diff_positions" ADD CONSTRAINT "diff_positions_one_thing" CHECK (num_nonnulls("note_id", "comment_id") = 1);
