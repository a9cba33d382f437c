-- CreateTable
CREATE TABLE "imports" (
    "id" SERIAL NOT NULL,
    "source" TEXT NOT NULL,
    "namespace_id" INTEGER,
    "project_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "imports_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "imports_namespace_id_key" ON "imports"("namespace_id");

-- CreateIndex
CREATE UNIQUE INDEX "imports_project_id_key" ON "imports"("project_id");

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An import is of a group or of a project. Prisma's schema language has no checks.
ALTER TABLE "imports" ADD CONSTRAINT "imports_one_target" CHECK (num_nonnulls("namespace_id", "project_id") = 1);
