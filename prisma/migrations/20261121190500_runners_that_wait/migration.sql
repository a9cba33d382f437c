-- What of a runner decides on its jobs is remembered where it asks, and forgotten when it changes.
CREATE FUNCTION notify_runners() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('millrace_runners', OLD."id"::text);
  RETURN NULL;
END;
$$;
CREATE TRIGGER "runners_changed" AFTER UPDATE ON "runners" FOR EACH ROW
  WHEN ((NEW."token_digest", NEW."is_shared", NEW."is_active", NEW."runs_untagged", NEW."access",
      NEW."tags", NEW."description")
    IS DISTINCT FROM (OLD."token_digest", OLD."is_shared", OLD."is_active", OLD."runs_untagged",
      OLD."access", OLD."tags", OLD."description"))
  EXECUTE FUNCTION notify_runners();
CREATE TRIGGER "runners_removed" AFTER DELETE ON "runners" FOR EACH ROW
  EXECUTE FUNCTION notify_runners();

-- Jobs that were nobody's may be somebody's when a project opens.
CREATE TRIGGER "projects_opened" AFTER UPDATE ON "projects" FOR EACH ROW
  WHEN ((NEW."are_jobs_enabled", NEW."are_shared_runners_enabled", NEW."is_archived", NEW."is_removed")
    IS DISTINCT FROM
    (OLD."are_jobs_enabled", OLD."are_shared_runners_enabled", OLD."is_archived", OLD."is_removed"))
  EXECUTE FUNCTION notify_jobs();
