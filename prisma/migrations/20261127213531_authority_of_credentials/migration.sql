-- AlterTable
ALTER TABLE "audit_events" ADD COLUMN     "application_id" INTEGER,
ADD COLUMN     "application_name" TEXT;

-- AlterTable
ALTER TABLE "keys" ADD COLUMN     "oauth_application_id" INTEGER,
ADD COLUMN     "oauth_family" UUID;

-- AddForeignKey. Not validated: no row has an application yet, and the table is not read.
ALTER TABLE "keys" ADD CONSTRAINT "keys_oauth_application_id_fkey" FOREIGN KEY ("oauth_application_id") REFERENCES "oauth_applications"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

-- From here on by hand.

-- Connections of git over SSH, and tokens of Git LFS, end with the key that they came from. A deploy key has no
-- user: its notification has no payload, as that of an application's own token. Use of a key changes nothing.
CREATE TRIGGER "keys_changed" AFTER UPDATE ON "keys" FOR EACH ROW
  WHEN ((OLD."user_id", OLD."fingerprint", OLD."expires_at")
    IS DISTINCT FROM (NEW."user_id", NEW."fingerprint", NEW."expires_at"))
  EXECUTE FUNCTION notify_viewers('user_id');
CREATE TRIGGER "keys_removed" AFTER DELETE ON "keys" FOR EACH ROW
  EXECUTE FUNCTION notify_viewers('user_id');

-- Running transfers depend on their project and on its deploy keys, too. No cache depends on them, so the
-- notification names the project, on a channel of its own.
CREATE FUNCTION notify_projects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('millrace_projects', to_jsonb(OLD) ->> TG_ARGV[0]);
  RETURN NULL;
END;
$$;

CREATE TRIGGER "projects_restricted" AFTER UPDATE ON "projects" FOR EACH ROW
  WHEN ((OLD."is_removed", OLD."visibility", OLD."is_archived", OLD."wiki_enabled", OLD."lfs_enabled", OLD."jobs_enabled")
    IS DISTINCT FROM (NEW."is_removed", NEW."visibility", NEW."is_archived", NEW."wiki_enabled", NEW."lfs_enabled", NEW."jobs_enabled"))
  EXECUTE FUNCTION notify_projects('id');
CREATE TRIGGER "deploy_key_projects_changed" AFTER UPDATE OR DELETE ON "deploy_key_projects" FOR EACH ROW
  EXECUTE FUNCTION notify_projects('project_id');
