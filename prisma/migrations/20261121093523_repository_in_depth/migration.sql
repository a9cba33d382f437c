-- CreateEnum
CREATE TYPE "line_type" AS ENUM ('new', 'old');

-- CreateEnum
CREATE TYPE "commit_state" AS ENUM ('pending', 'running', 'success', 'failed', 'canceled');

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "forked_from_id" INTEGER,
ADD COLUMN     "housekeeping_at" TIMESTAMPTZ(3),
ADD COLUMN     "import_source_sealed" TEXT;

-- CreateTable
CREATE TABLE "releases" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "tag_name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "releases_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "commit_comments" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "sha" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "path" TEXT,
    "line" INTEGER,
    "line_type" "line_type",
    "author_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "commit_comments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "commit_statuses" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "sha" TEXT NOT NULL,
    "ref" TEXT,
    "name" TEXT NOT NULL,
    "state" "commit_state" NOT NULL,
    "target_url" TEXT,
    "description" TEXT,
    "coverage" DOUBLE PRECISION,
    "allow_failure" BOOLEAN NOT NULL DEFAULT false,
    "author_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "commit_statuses_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "releases_project_id_tag_name_key" ON "releases"("project_id", "tag_name");

-- CreateIndex
CREATE INDEX "commit_comments_project_id_sha_id_idx" ON "commit_comments"("project_id", "sha", "id");

-- CreateIndex
CREATE INDEX "commit_comments_author_id_idx" ON "commit_comments"("author_id");

-- CreateIndex
CREATE INDEX "commit_statuses_project_id_sha_name_ref_id_idx" ON "commit_statuses"("project_id", "sha", "name", "ref", "id");

-- CreateIndex
CREATE INDEX "commit_statuses_project_id_sha_id_idx" ON "commit_statuses"("project_id", "sha", "id");

-- CreateIndex
CREATE INDEX "commit_statuses_author_id_idx" ON "commit_statuses"("author_id");

-- CreateIndex
CREATE INDEX "projects_forked_from_id_idx" ON "projects"("forked_from_id");

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_forked_from_id_fkey" FOREIGN KEY ("forked_from_id") REFERENCES "projects"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "releases" ADD CONSTRAINT "releases_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "commit_comments" ADD CONSTRAINT "commit_comments_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "commit_comments" ADD CONSTRAINT "commit_comments_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "commit_statuses" ADD CONSTRAINT "commit_statuses_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "commit_statuses" ADD CONSTRAINT "commit_statuses_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
