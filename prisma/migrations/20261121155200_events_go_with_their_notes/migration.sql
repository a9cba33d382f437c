-- What was said of a note that is gone is no event any more.
DELETE FROM "events"
WHERE "note_id" IS NOT NULL
  AND NOT EXISTS (SELECT FROM "notes" WHERE "notes"."id" = "events"."note_id");

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE ON UPDATE CASCADE;
