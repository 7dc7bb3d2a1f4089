import { createInterface } from 'node:readline'
import { openSqliteStore } from './sqlite-store.ts'

// As `wadi up` does: three services of one process use the same file.
const [, , file = ''] = process.argv
const stores = [openSqliteStore({ file }), openSqliteStore({ file }), openSqliteStore({ file })]
process.once('SIGTERM', () => {
  void Promise.all(stores.map((store) => store[Symbol.asyncDispose]())).then(() => process.exit(0))
})
process.stdout.write('open\n')
let next = 0
const x = 'x'.repeat(20_000)
for await (const name of createInterface({ input: process.stdin })) {
  const store = stores[next++ % stores.length]
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'n', name }, data: { x } }
  const isStored = await store?.create(object).then(
    () => true,
    () => false,
  )
  process.stdout.write(isStored === true ? `${name}\n` : 'not stored\n')
}
