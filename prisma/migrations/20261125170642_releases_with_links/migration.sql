-- CreateEnum
CREATE TYPE "release_link_type" AS ENUM ('other', 'runbook', 'image', 'package');

-- CreateTable
CREATE TABLE "release_details" (
    "release_id" INTEGER NOT NULL,
    "name" TEXT,
    "author_id" INTEGER,
    "released_at" TIMESTAMPTZ(3),

    CONSTRAINT "release_details_pkey" PRIMARY KEY ("release_id")
);

-- CreateTable
CREATE TABLE "release_links" (
    "id" SERIAL NOT NULL,
    "release_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "path" TEXT,
    "type" "release_link_type" NOT NULL DEFAULT 'other',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "release_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "release_milestones" (
    "release_id" INTEGER NOT NULL,
    "milestone_id" INTEGER NOT NULL,

    CONSTRAINT "release_milestones_pkey" PRIMARY KEY ("release_id","milestone_id")
);

-- CreateIndex
CREATE INDEX "release_details_author_id_idx" ON "release_details"("author_id");

-- CreateIndex
CREATE INDEX "release_links_release_id_id_idx" ON "release_links"("release_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "release_links_release_id_name_key" ON "release_links"("release_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "release_links_release_id_url_key" ON "release_links"("release_id", "url");

-- CreateIndex
CREATE UNIQUE INDEX "release_links_release_id_path_key" ON "release_links"("release_id", "path");

-- CreateIndex
CREATE INDEX "release_milestones_milestone_id_idx" ON "release_milestones"("milestone_id");

-- AddForeignKey
ALTER TABLE "release_details" ADD CONSTRAINT "release_details_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "releases"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "release_details" ADD CONSTRAINT "release_details_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "release_links" ADD CONSTRAINT "release_links_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "releases"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "release_milestones" ADD CONSTRAINT "release_milestones_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "releases"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "release_milestones" ADD CONSTRAINT "release_milestones_milestone_id_fkey" FOREIGN KEY ("milestone_id") REFERENCES "milestones"("id") ON DELETE CASCADE ON UPDATE CASCADE;
