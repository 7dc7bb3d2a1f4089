import { lstatSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isLfsPointer, maxLfsPointerBytes, lfsPointerMessage } from '@wadi/manifests/file-text.ts'

const maxNamed = 10

/** Names the files below a directory that are pointers of Git LFS, which may be why a tool failed; empty if there are none. */
export function lfsHint(directory: string): string {
  const pointers = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) => {
    const file = join(directory, path)
    const found = lstatSync(file, { throwIfNoEntry: false })
    return found?.isFile() === true && found.size <= maxLfsPointerBytes && isLfsPointer(readFileSync(file))
  })
  return pointers.length === 0 ? '' : lfsPointerMessage(pointers.toSorted().slice(0, maxNamed))
}
