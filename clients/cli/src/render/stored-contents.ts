import { runGit } from '@wadi/git/process/run-git.ts'
import { LocalRepository } from '../diff/local/local-repository.ts'

const attributes = ['eol', 'ident', 'working-tree-encoding']

/**
 * Reads the files that `.gitattributes` changes in a checkout (`eol=crlf`, `ident`, `working-tree-encoding`) as git stores them, which is
 * what a server reads.
 * @param environment names the repository and the checkout to git
 * @returns the contents by path
 */
export async function storedContents(
  root: string,
  environment: Record<string, string>,
): Promise<ReadonlyMap<string, Buffer>> {
  const changed = await changedInCheckout(environment)
  if (changed.length === 0) return new Map()
  const contents = new Map<string, Buffer>()
  await using repository = await LocalRepository.open(root, AbortSignal.timeout(10 * 60_000))
  const tree = await repository.tree(await repository.workingTree())
  for (const path of changed) {
    const kind = (await tree.entry(path))?.kind
    if (kind === 'file' || kind === 'executable') contents.set(path, await tree.read(path, Infinity))
  }
  return contents
}

async function changedInCheckout(environment: Record<string, string>): Promise<string[]> {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z', '--']
  const { stdout: files } = await runGit({ args: [...list, ':(glob)**/.gitattributes'], environment })
  if (files.length === 0) return []
  const { stdout: input } = await runGit({ args: list, environment })
  const args = ['check-attr', '-z', '--stdin', ...attributes]
  const { stdout } = await runGit({ args, environment, input })
  const fields = stdout.toString().split('\0')
  const changed = new Set<string>()
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [path = '', attribute = '', value = ''] = fields.slice(index, index + 3)
    if (isChange(attribute, value)) changed.add(path)
  }
  return [...changed]
}

function isChange(attribute: string, value: string): boolean {
  if (attribute === 'eol') return value === 'crlf'
  if (attribute === 'ident') return value === 'set'
  return value !== 'unspecified' && value !== 'unset' && value !== 'set'
}
