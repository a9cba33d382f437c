-- Directories do not tell letters apart by case, and neither do we.
CREATE INDEX "identities_lower_extern_uid" ON "identities" ("provider", lower("extern_uid"));
