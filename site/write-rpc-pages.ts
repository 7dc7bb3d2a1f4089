import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { rpcPages } from '../tools/rpc-pages.ts'

// `node site/write-rpc-pages.ts`: writes a page for each proto file, as the search reads files only. They would be a second copy of the protos in git.
const root = path.resolve(import.meta.dirname, '..')
const directory = path.join(root, 'site/proto')
await rm(directory, { recursive: true, force: true })
for (const { name, text } of await rpcPages(root)) {
  const file = path.join(directory, `${name}.md`)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}
