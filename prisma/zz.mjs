import { PrismaPg } from '@prisma/adapter-pg';
import { createHash } from 'node:crypto';
import { PrismaClient } from './generated/client/client.ts';
import { startEmbedded } from './embedded.ts';
import { applyMigrations } from './migrate.ts';
const e = await startEmbedded({ folder: '/tmp/pgbench', log() {} });
await applyMigrations(e.url);
const make = (named) => new PrismaClient({ adapter: new PrismaPg({ connectionString: e.url, max: 20 }, named ? { statementNameGenerator: (q) => createHash('sha1').update(q.sql).digest('hex') } : {}) });
const seedDb = make(false);
if (await seedDb.user.count() === 0) {
  const u = await seedDb.user.create({ data: { username:'a', usernameKey:'a', email:'a', emailKey:'a', name:'a', projectsLimit: 1 } });
  const g = await seedDb.namespace.create({ data: { kind:'group', name:'g', path:'g', fullName:'g', fullPath:'g' } });
  for (let i=0;i<200;i++) await seedDb.project.create({ data: { namespaceId:g.id, creatorId:u.id, name:'p'+i, path:'p'+i, fullName:'g / p'+i, fullPath:'g/p'+i, visibility:'private', storage:'default', diskPath:'x'+i, runnersTokenDigest: Buffer.from('d'+i), runnersTokenSealed:'' , statistics:{create:{}} } });
}
const bench = async (db, f, n) => { let left=n; const t=performance.now(); await Promise.all(Array.from({length:16}, async()=>{ while(left-->0) await f(db); })); return Math.round(n/(performance.now()-t)*1000); };
const one = (db)=>db.user.findUnique({ where:{ id:1 } });
const list = (db)=>db.project.findMany({ take:20, orderBy:{createdAt:'desc'}, include:{ namespace:true, statistics:true, creator:true }, relationLoadStrategy:'join' });
const dbs = { plain: make(false), named: make(true) };
for (let r=0;r<8;r++) for (const [k,db] of Object.entries(dbs)) console.log(r,k,'one',await bench(db,one,6000),'list',await bench(db,list,800));
for (const db of [seedDb, ...Object.values(dbs)]) await db.$disconnect();
await e.stop();
