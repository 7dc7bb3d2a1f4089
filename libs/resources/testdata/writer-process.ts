// A writer of its own process: `writer-process.ts <file> <prefix> <count>` creates ConfigMaps `<prefix>-<n>` in the
// namespace `shared`, adds 1 to the counter in ConfigMap `shared/counter` for each, and prints `<n>` once it is stored.
import { mutate } from '../src/store/resource-store.ts'
import { openSqliteStore } from '../src/store/sqlite-store.ts'

const [file = '', prefix = '', count = '0'] = process.argv.slice(2)
await using store = openSqliteStore({ file })
for (let n = 0; n < Number(count); n++) {
  await store.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'shared', name: `${prefix}-${n}` },
  })
  await mutate(store, 'ConfigMap', 'shared', 'counter', (current) => ({
    ...current,
    data: { value: String(Number(current.data?.['value']) + 1) },
  }))
  process.stdout.write(`${n}\n`)
}
