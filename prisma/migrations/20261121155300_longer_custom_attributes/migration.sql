DROP INDEX "user_custom_attributes_key_value_idx";
DROP INDEX "namespace_custom_attributes_key_value_idx";
DROP INDEX "project_custom_attributes_key_value_idx";

-- A whole value may be longer than an index holds.
CREATE INDEX "user_custom_attributes_key_beginning" ON "user_custom_attributes"("key", left("value", 255));
CREATE INDEX "namespace_custom_attributes_key_beginning" ON "namespace_custom_attributes"("key", left("value", 255));
CREATE INDEX "project_custom_attributes_key_beginning" ON "project_custom_attributes"("key", left("value", 255));
