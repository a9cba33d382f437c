-- A row is created by the clock of the database and finished by the clock of a process. These differ,
-- at least by the rounding of the columns, so every write keeps the end from lying before the creation.
CREATE FUNCTION finish_after_creation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."finished_at" := NEW."created_at";
  RETURN NEW;
END;
$$;
CREATE TRIGGER "pipelines_finish_after_creation" BEFORE INSERT OR UPDATE ON "pipelines" FOR EACH ROW
  WHEN (NEW."finished_at" < NEW."created_at") EXECUTE FUNCTION finish_after_creation();
CREATE TRIGGER "jobs_finish_after_creation" BEFORE INSERT OR UPDATE ON "jobs" FOR EACH ROW
  WHEN (NEW."finished_at" < NEW."created_at") EXECUTE FUNCTION finish_after_creation();
CREATE TRIGGER "commit_statuses_finish_after_creation" BEFORE INSERT OR UPDATE ON "commit_statuses" FOR EACH ROW
  WHEN (NEW."finished_at" < NEW."created_at") EXECUTE FUNCTION finish_after_creation();
