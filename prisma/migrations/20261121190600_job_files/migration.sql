-- AlterTable
ALTER TABLE "application_settings" ADD COLUMN     "default_artifacts_expire_in" TEXT NOT NULL DEFAULT '0',
ADD COLUMN     "max_artifacts_size" INTEGER NOT NULL DEFAULT 100;

-- Whoever keeps, replaces or removes artifacts: the project's statistics follow in the same commit.
CREATE FUNCTION count_artifacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  grown bigint := -coalesce(OLD."artifacts_size", 0);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    grown := grown + coalesce(NEW."artifacts_size", 0);
  END IF;
  UPDATE "project_statistics"
  SET "job_artifacts_size" = greatest("job_artifacts_size" + grown, 0)
  WHERE "project_id" = OLD."project_id";
  RETURN NULL;
END;
$$;
CREATE TRIGGER "jobs_artifacts_changed" AFTER UPDATE ON "jobs" FOR EACH ROW
  WHEN (NEW."artifacts_size" IS DISTINCT FROM OLD."artifacts_size")
  EXECUTE FUNCTION count_artifacts();
CREATE TRIGGER "jobs_artifacts_gone" AFTER DELETE ON "jobs" FOR EACH ROW
  WHEN (OLD."artifacts_size" IS NOT NULL)
  EXECUTE FUNCTION count_artifacts();
