import { startUsersFixture, listSet } from './routes/users-fixture.ts'
await using f = await startUsersFixture()
const u = f.as('anna')
const names = Array.from({length:1000},(_, i)=>`app-${i}`)
let t=performance.now()
await u.apply(listSet(names)); console.log('create', performance.now()-t); t=performance.now()
await u.apply(listSet(names)); console.log('again', performance.now()-t); t=performance.now()
const s = listSet(names) as any; s.spec.template.spec.destination.namespace='other'
await u.apply(s); console.log('update', performance.now()-t); t=performance.now()
await u.delete(); console.log('delete', performance.now()-t)
