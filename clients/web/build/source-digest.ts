import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { consoleRoot } from './console-config.ts'

const repository = join(consoleRoot, '../..')

/** The sources of the built console. */
const parts = [
  'package-lock.json',
  'clients/web/build',
  'clients/web/index.html',
  'clients/web/public',
  'clients/web/src',
  'libs/errors/src',
  'libs/fields/src',
  'libs/manifests/src',
  'libs/order/src',
  'libs/protocol/src/gen',
  'libs/rbac/src/projects',
  'libs/resources/src/application/dry-source-objects.ts',
]

/** Returns a digest of everything that the console is built from, so that an unchanged one is not built again. */
export async function sourceDigest(): Promise<string> {
  const hash = createHash('sha256')
  for (const part of parts) {
    for (const file of await filesOf(part)) {
      const content = await readFile(join(repository, file))
      hash.update(`${file}\n${content.length}\n`).update(content)
    }
  }
  return hash.digest('hex')
}

async function filesOf(part: string): Promise<string[]> {
  if (/\.\w+$/.test(part)) return [part]
  const entries = await readdir(join(repository, part), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(repository.length + 1))
    .toSorted()
}
