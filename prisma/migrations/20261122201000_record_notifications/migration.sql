-- CreateTable
CREATE TABLE "watched_records" (
    "topic" TEXT NOT NULL,
    "process_id" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "watched_records_pkey" PRIMARY KEY ("topic","process_id")
);

-- From here on by hand: what the models cannot say.

-- Subscriptions in every process wait for changed records. The payload is a topic and ids, never
-- data: each subscriber reads the record again with its own permissions. PostgreSQL sends equal
-- payloads of a transaction once, and only after its commit.
--
-- Transactions that notify commit one after another, an eighth as many a second as others. So a
-- change is announced only if a process waits for it. A writer holds the lock of the topic, shared,
-- until its commit. A subscriber writes its row, and then takes the lock alone for a moment: it has
-- waited for all writers that did not see the row, and reads what they wrote. Writers never wait:
-- without the lock they announce. Topics share 64 locks, so that a transaction holds few.
CREATE FUNCTION notify_if_watched(topic text, detail text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF pg_try_advisory_xact_lock_shared(77301421, hashtext(topic) & 63) THEN
    -- a statement of its own, whose snapshot is newer than the lock
    PERFORM FROM "watched_records" AS watched
      WHERE watched."topic" = notify_if_watched.topic AND watched."until" > now();
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;
  PERFORM pg_notify('millrace_records', topic || detail);
END;
$$;

CREATE FUNCTION notify_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_if_watched(TG_ARGV[0] || ' ' || NEW."id");
  RETURN NULL;
END;
$$;

CREATE TRIGGER "pipelines_updated" AFTER UPDATE ON "pipelines" FOR EACH ROW
  WHEN ((OLD."status", OLD."started_at", OLD."finished_at", OLD."duration", OLD."coverage")
    IS DISTINCT FROM (NEW."status", NEW."started_at", NEW."finished_at", NEW."duration", NEW."coverage"))
  EXECUTE FUNCTION notify_record('pipeline');

-- A job is part of its pipeline. The runner's contacts and the size of the trace change too often,
-- and are no news.
CREATE FUNCTION notify_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_if_watched('pipeline ' || NEW."pipeline_id");
  IF TG_OP = 'UPDATE' THEN
    PERFORM notify_if_watched('job ' || NEW."id");
  END IF;
  RETURN NULL;
END;
$$;
CREATE TRIGGER "jobs_created" AFTER INSERT ON "jobs" FOR EACH ROW EXECUTE FUNCTION notify_job();
CREATE TRIGGER "jobs_updated" AFTER UPDATE ON "jobs" FOR EACH ROW
  WHEN ((OLD."status", OLD."is_retried", OLD."failure", OLD."runner_id", OLD."coverage",
      OLD."artifacts_file", OLD."erased_at")
    IS DISTINCT FROM (NEW."status", NEW."is_retried", NEW."failure", NEW."runner_id", NEW."coverage",
      NEW."artifacts_file", NEW."erased_at"))
  EXECUTE FUNCTION notify_job();

-- An external status is part of its pipeline, too.
CREATE FUNCTION notify_pipeline_of_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_if_watched('pipeline ' || NEW."pipeline_id");
  RETURN NULL;
END;
$$;
CREATE TRIGGER "commit_statuses_updated" AFTER INSERT OR UPDATE ON "commit_statuses" FOR EACH ROW
  WHEN (NEW."pipeline_id" IS NOT NULL)
  EXECUTE FUNCTION notify_pipeline_of_status();

CREATE TRIGGER "merge_requests_updated" AFTER UPDATE ON "merge_requests" FOR EACH ROW
  WHEN ((OLD."state", OLD."merge_status", OLD."sha", OLD."merge_commit_sha", OLD."target_branch",
      OLD."assignee_id", OLD."milestone_id", OLD."merges_when_pipeline_succeeds")
    IS DISTINCT FROM (NEW."state", NEW."merge_status", NEW."sha", NEW."merge_commit_sha", NEW."target_branch",
      NEW."assignee_id", NEW."milestone_id", NEW."merges_when_pipeline_succeeds"))
  EXECUTE FUNCTION notify_record('merge_request');

-- A note is announced with the record that it is on, which decides who may see it.
CREATE FUNCTION notify_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  note "notes" := coalesce(NEW, OLD);
BEGIN
  PERFORM notify_if_watched(CASE
    WHEN note."issue_id" IS NOT NULL THEN 'issue_notes ' || note."issue_id"
    WHEN note."merge_request_id" IS NOT NULL THEN 'merge_request_notes ' || note."merge_request_id"
    ELSE 'snippet_notes ' || coalesce(note."snippet_id", 0)
  END, ' ' || note."id");
  RETURN NULL;
END;
$$;
CREATE TRIGGER "notes_created" AFTER INSERT ON "notes" FOR EACH ROW EXECUTE FUNCTION notify_note();
CREATE TRIGGER "notes_edited" AFTER UPDATE ON "notes" FOR EACH ROW
  WHEN (OLD."body" IS DISTINCT FROM NEW."body")
  EXECUTE FUNCTION notify_note();
-- The notes of a deleted issue or project are deleted by foreign keys, thousands at once: no news.
CREATE TRIGGER "notes_deleted" AFTER DELETE ON "notes" FOR EACH ROW
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION notify_note();
