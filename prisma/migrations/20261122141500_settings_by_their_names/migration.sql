-- Settings have the specification's names, so that REST, code and tables can be searched together.

ALTER TABLE "projects" RENAME COLUMN "are_issues_enabled" TO "issues_enabled";
ALTER TABLE "projects" RENAME COLUMN "are_merge_requests_enabled" TO "merge_requests_enabled";
ALTER TABLE "projects" RENAME COLUMN "are_jobs_enabled" TO "jobs_enabled";
ALTER TABLE "projects" RENAME COLUMN "is_wiki_enabled" TO "wiki_enabled";
ALTER TABLE "projects" RENAME COLUMN "are_snippets_enabled" TO "snippets_enabled";
ALTER TABLE "projects" RENAME COLUMN "is_container_registry_enabled" TO "container_registry_enabled";
ALTER TABLE "projects" RENAME COLUMN "are_shared_runners_enabled" TO "shared_runners_enabled";
ALTER TABLE "projects" RENAME COLUMN "is_lfs_enabled" TO "lfs_enabled";
ALTER TABLE "projects" RENAME COLUMN "is_request_access_enabled" TO "request_access_enabled";
ALTER TABLE "projects" RENAME COLUMN "are_public_jobs" TO "public_jobs";
ALTER TABLE "projects" RENAME COLUMN "resolves_outdated_diffs" TO "resolve_outdated_diff_discussions";
ALTER TABLE "projects" RENAME COLUMN "merges_only_if_pipeline_succeeds" TO "only_allow_merge_if_pipeline_succeeds";
ALTER TABLE "projects" RENAME COLUMN "merges_only_if_all_resolved" TO "only_allow_merge_if_all_discussions_are_resolved";
ALTER TABLE "projects" RENAME COLUMN "prints_merge_request_link" TO "printing_merge_request_link_enabled";
ALTER TABLE "namespaces" RENAME COLUMN "is_lfs_enabled" TO "lfs_enabled";
ALTER TABLE "namespaces" RENAME COLUMN "is_request_access_enabled" TO "request_access_enabled";
ALTER TABLE "application_settings" RENAME COLUMN "is_password_authentication_enabled" TO "password_authentication_enabled";
ALTER TABLE "application_settings" RENAME COLUMN "is_avatar_service_enabled" TO "avatar_service_enabled";
ALTER TABLE "application_settings" RENAME COLUMN "is_signup_enabled" TO "signup_enabled";
ALTER TABLE "application_settings" RENAME COLUMN "is_domain_blacklist_enabled" TO "domain_blacklist_enabled";
ALTER TABLE "application_settings" RENAME COLUMN "are_user_oauth_applications_enabled" TO "user_oauth_applications";
ALTER TABLE "application_settings" RENAME COLUMN "is_cloud_ide_enabled" TO "cloudide_enabled";
ALTER TABLE "application_settings" RENAME COLUMN "cloud_ide_url" TO "cloudide_url";
ALTER TABLE "application_settings" RENAME COLUMN "are_diagrams_enabled" TO "diagrams_enabled";
