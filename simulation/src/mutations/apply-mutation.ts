import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import path from 'node:path'
import type { Mutation } from './mutation.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** Has a file of the mesh loaded with a mutation, by this process from now on. */
export function applyMutation({ name, file, from, to }: Mutation): void {
  const target = pathToFileURL(path.join(root, file)).href
  registerHooks({
    load: (url, context, next) => {
      if (url !== target) return next(url, context)
      const source = readFileSync(fileURLToPath(url), 'utf8')
      if (source.split(from).length !== 2)
        throw new Error(`mutation "${name}": its text is not once in ${file}`)
      return { format: 'module-typescript', source: source.replace(from, () => to), shortCircuit: true }
    },
  })
}
