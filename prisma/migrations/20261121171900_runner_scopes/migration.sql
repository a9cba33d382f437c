-- Few are paused, and few of those that ever came were heard of within the hour.
CREATE INDEX "runners_paused" ON "runners" ("id") WHERE NOT "is_active";
CREATE INDEX "runners_heard_of" ON "runners" ("contacted_at") WHERE "contacted_at" IS NOT NULL;
