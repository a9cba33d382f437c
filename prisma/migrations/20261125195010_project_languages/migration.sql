-- CreateTable
CREATE TABLE "project_languages" (
    "project_id" INTEGER NOT NULL,
    "sha" TEXT NOT NULL,
    "bytes" JSONB NOT NULL,

    CONSTRAINT "project_languages_pkey" PRIMARY KEY ("project_id")
);

-- AddForeignKey
ALTER TABLE "project_languages" ADD CONSTRAINT "project_languages_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;
