import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { runGit } from '@wadi/git/process/run-git.ts'
import { LocalRepository } from '../diff/local/local-repository.ts'

const changing = /\beol=crlf\b|\bident\b|\bworking-tree-encoding=[\w.-]+/g
const maxAttributeBytes = 1024 * 1024
/** More encodings than these no repository has. */
const maxChanges = 100

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
  const changed = await changedInCheckout(root, environment)
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

async function changedInCheckout(root: string, environment: Record<string, string>): Promise<string[]> {
  const list = async (...patterns: string[]): Promise<string[]> => {
    const which = ['--cached', '--others', '--exclude-standard', '--deduplicate']
    const { stdout } = await runGit({ args: ['ls-files', '-z', ...which, '--', ...patterns], environment })
    return stdout
      .toString()
      .split('\0')
      .filter((path) => path !== '')
  }
  const files = await list(':(glob)**/.gitattributes')
  const tree = openDirectoryTree(root)
  const texts = await Promise.all(
    files.map(async (file) =>
      (await tree.entry(file))?.kind === 'file' ? String(await tree.read(file, maxAttributeBytes)) : '',
    ),
  )
  const changes = new Set(texts.flatMap((text) => text.match(changing) ?? []))
  const patterns = Array.from(changes, (change) => `:(attr:${change})`).slice(0, maxChanges)
  return patterns.length === 0 ? [] : await list(...patterns)
}
