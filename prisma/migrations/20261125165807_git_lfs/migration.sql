-- AlterTable
ALTER TABLE "application_settings" ADD COLUMN     "max_lfs_object_size" INTEGER NOT NULL DEFAULT 10240;

-- CreateTable
CREATE TABLE "lfs_objects" (
    "id" SERIAL NOT NULL,
    "oid" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "unlinked_at" TIMESTAMPTZ(3),

    CONSTRAINT "lfs_objects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_lfs_objects" (
    "project_id" INTEGER NOT NULL,
    "object_id" INTEGER NOT NULL,

    CONSTRAINT "project_lfs_objects_pkey" PRIMARY KEY ("project_id","object_id")
);

-- CreateTable
CREATE TABLE "lfs_locks" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "path" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lfs_locks_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "lfs_objects_oid_key" ON "lfs_objects"("oid");

-- CreateIndex
CREATE INDEX "lfs_objects_unlinked_at_idx" ON "lfs_objects"("unlinked_at");

-- CreateIndex
CREATE INDEX "project_lfs_objects_object_id_idx" ON "project_lfs_objects"("object_id");

-- CreateIndex
CREATE INDEX "lfs_locks_project_id_id_idx" ON "lfs_locks"("project_id", "id");

-- CreateIndex
CREATE INDEX "lfs_locks_user_id_idx" ON "lfs_locks"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "lfs_locks_project_id_path_key" ON "lfs_locks"("project_id", "path");

-- AddForeignKey
ALTER TABLE "project_lfs_objects" ADD CONSTRAINT "project_lfs_objects_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_lfs_objects" ADD CONSTRAINT "project_lfs_objects_object_id_fkey" FOREIGN KEY ("object_id") REFERENCES "lfs_objects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lfs_locks" ADD CONSTRAINT "lfs_locks_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lfs_locks" ADD CONSTRAINT "lfs_locks_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An object has a SHA-256 and a size. Prisma's schema language has no checks.
ALTER TABLE "lfs_objects" ADD CONSTRAINT "lfs_objects_valid" CHECK ("oid" ~ '^[0-9a-f]{64}$' AND "size" >= 0);

-- A project gets objects, or gives them up, also by its removal: its statistics follow in the same commit.
-- Objects that a project has given up may belong to none; they are deleted later.
CREATE FUNCTION count_lfs_objects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "project_statistics"
  SET "lfs_objects_size" = greatest(
    "lfs_objects_size" + CASE WHEN TG_OP = 'INSERT' THEN changed."size" ELSE -changed."size" END, 0)
  FROM (
    SELECT links."project_id", sum("lfs_objects"."size")::bigint AS "size"
    FROM links JOIN "lfs_objects" ON "lfs_objects"."id" = links."object_id"
    GROUP BY links."project_id"
  ) changed
  WHERE "project_statistics"."project_id" = changed."project_id";
  IF TG_OP = 'DELETE' THEN
    -- in order, because the removal of another project may change the same objects
    PERFORM FROM "lfs_objects" WHERE "id" IN (SELECT links."object_id" FROM links)
    ORDER BY "id" FOR NO KEY UPDATE;
    UPDATE "lfs_objects" SET "unlinked_at" = now() WHERE "id" IN (SELECT links."object_id" FROM links);
  END IF;
  RETURN NULL;
END;
$$;
CREATE TRIGGER "lfs_objects_linked" AFTER INSERT ON "project_lfs_objects"
  REFERENCING NEW TABLE AS links FOR EACH STATEMENT EXECUTE FUNCTION count_lfs_objects();
CREATE TRIGGER "lfs_objects_unlinked" AFTER DELETE ON "project_lfs_objects"
  REFERENCING OLD TABLE AS links FOR EACH STATEMENT EXECUTE FUNCTION count_lfs_objects();
