-- CreateTable
CREATE TABLE "sign_in_networks" (
    "user_id" INTEGER NOT NULL,
    "network" VARCHAR(64) NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_in_networks_pkey" PRIMARY KEY ("user_id","network")
);

-- AddForeignKey
ALTER TABLE "sign_in_networks" ADD CONSTRAINT "sign_in_networks_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
