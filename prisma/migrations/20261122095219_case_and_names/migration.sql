-- NULLS NOT DISTINCT, below, needs PostgreSQL 15. Two names that were allowed until now are not renamed
-- silently: the migration fails with the list, and the version before it goes on serving them.
DO $$
DECLARE
  duplicates text;
BEGIN
  SELECT string_agg(format('"%s" (%s)', "name", "paths"), ', ') INTO duplicates
  FROM (
    SELECT "name", string_agg('/' || "full_path", ', ' ORDER BY "id") AS "paths"
    FROM "namespaces" WHERE "parent_id" IS NULL
    GROUP BY "name" HAVING count(*) > 1 ORDER BY "name" LIMIT 50
  ) "shared";
  IF duplicates IS NOT NULL THEN
    RAISE EXCEPTION 'Names of top-level groups must be unique among top-level groups and users. With the version that ran before, rename all but one of: %', duplicates;
  END IF;
END;
$$;
DROP INDEX "namespaces_parent_id_name_key";
CREATE UNIQUE INDEX "namespaces_parent_id_name_key" ON "namespaces" ("parent_id", "name") NULLS NOT DISTINCT;

-- Listings by name ignore case. The column itself is included, because PostgreSQL reads lower(name) from
-- an index alone only if the index holds the name, too.
DROP INDEX "namespaces_kind_name_id_idx";
CREATE INDEX "namespaces_by_name" ON "namespaces" ("kind", lower("name"), "id");
DROP INDEX "projects_by_name";
CREATE INDEX "projects_by_name" ON "projects" (lower("name"), "id", "is_removed", "is_archived", "visibility", "namespace_id", "are_issues_enabled", "are_merge_requests_enabled") INCLUDE ("name");

-- AlterTable
ALTER TABLE "projects" ALTER COLUMN "are_snippets_enabled" SET DEFAULT true;
