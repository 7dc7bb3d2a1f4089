import path from 'node:path'
import { attestRelease } from './attestations.ts'

// `npm run release:attest -- VERSION [DIRECTORY]`: signs statements about the files that `SHA256SUMS` names, also those that other machines built.
const root = path.resolve(import.meta.dirname, '../..')
const [version = '', place = path.join('dist', version)] = process.argv.slice(2)
try {
  await attestRelease(root, version, path.resolve(root, place), process.env)
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
