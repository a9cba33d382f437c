-- CreateTable
CREATE TABLE "table_changes" (
    "table_name" TEXT NOT NULL,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id()
);

-- CreateIndex
CREATE INDEX "table_changes_table_name_xid_idx" ON "table_changes"("table_name", "xid");

-- From here on by hand: what the models cannot say.

-- One row for each table and transaction: a setting that is local to the transaction says that it was
-- written. A savepoint that is rolled back undoes both. The row is visible exactly to the snapshots
-- that see the change. A counter, or a row that writers update, would make transactions wait for each
-- other or be visible before the commit. The arguments are the name of the table and of the setting.
CREATE FUNCTION record_table_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  setting text;
BEGIN
  IF current_setting(TG_ARGV[1], true) IS DISTINCT FROM 'recorded' THEN
    INSERT INTO "table_changes" ("table_name") VALUES (TG_ARGV[0]);
    setting := set_config(TG_ARGV[1], 'recorded', true);
  END IF;
  RETURN NULL;
END;
$$;

-- Columns that change often and that no listing filters by are not watched: the server remembers no
-- total that depends on them (schema/listing/watched-columns.ts). A list of columns costs nothing;
-- PostgreSQL would parse a condition anew in each statement.
DO $$
DECLARE
  watched record;
BEGIN
  FOR watched IN SELECT * FROM (VALUES
    ('issues', 'issues', 'OF id, project_id, iid, author_id, milestone_id, state, is_confidential, created_at'),
    ('issue_texts', 'issues', ''),
    ('issue_labels', 'issues', ''),
    ('issue_assignees', 'issues', ''),
    ('merge_requests', 'merge_requests', 'OF id, project_id, iid, source_project_id, source_branch,
      target_branch, author_id, assignee_id, milestone_id, state, created_at'),
    ('merge_request_texts', 'merge_requests', ''),
    ('merge_request_labels', 'merge_requests', ''),
    ('labels', 'labels', ''),
    ('milestones', 'milestones', ''),
    ('projects', 'projects', 'OF id, namespace_id, creator_id, name, path, description, namespace_name,
      visibility, is_archived, is_removed, issues_enabled, merge_requests_enabled, snippets_enabled,
      jobs_enabled, public_jobs, forked_from_id, created_at'),
    ('project_group_links', 'project_group_links', ''),
    ('members', 'members', ''),
    ('namespaces', 'namespaces', ''),
    ('users', 'users', 'OF id, username_key, name, state, created_at')
  ) AS given(table_name, recorded_as, columns)
  LOOP
    EXECUTE format(
      'CREATE TRIGGER %I AFTER INSERT OR DELETE OR UPDATE %s ON %I FOR EACH ROW EXECUTE FUNCTION record_table_change(%L, %L)',
      watched.table_name || '_recorded', watched.columns, watched.table_name,
      watched.recorded_as, 'millrace.changes_of_' || watched.recorded_as);
    EXECUTE format(
      'CREATE TRIGGER %I AFTER TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION record_table_change(%L, %L)',
      watched.table_name || '_truncation_recorded', watched.table_name,
      watched.recorded_as, 'millrace.changes_of_' || watched.recorded_as);
  END LOOP;
END;
$$;
